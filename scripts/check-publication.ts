import { contentFolder } from '#api/content-folder.ts'
import { findSample } from '#api/content/sample/find-sample.ts'
import { readSiteTexts } from '#api/content/sample/read-site-texts.ts'

/** Lists every place of the content that still contains sample text. */
const found = findSample(readSiteTexts(contentFolder))
for (const place of found) console.log(`content/${place}`)
console.log(
  found.length === 0
    ? 'The content has no sample text left.'
    : `${found.length} places still contain sample text. Replace or remove them before you publish: docs/how-to/make-it-your-coin.md`,
)
if (found.length > 0) process.exitCode = 1
