import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { findSample } from '#api/publishing/content/sample/find-sample.ts'
import { readSiteTexts } from '#api/publishing/content/sample/read-site-texts.ts'

/** Lists every place of the content that still contains sample text. */
const found = findSample(readSiteTexts(contentFolder))
for (const place of found) console.log(`content/${place}`)
console.log(
  found.length === 0
    ? 'The content has no sample text left.'
    : `Places that still contain sample text: ${found.length}. Replace or remove it before you publish: docs/how-to/make-it-your-coin.md`,
)
if (found.length > 0) process.exitCode = 1
