// Writes the fingerprints of the sample texts, for the check before publication. Run it after changing the sample.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import { fingerprintOf, piecesOf } from '#api/publishing/content/sample/find-sample.ts'
import { readSiteTexts } from '#api/publishing/content/sample/read-site-texts.ts'

const file = join(import.meta.dirname, '../api/publishing/content/sample/fingerprints.ts')
const all = new Set(piecesOf(readSiteTexts(contentFolder)).map(fingerprintOf))
const lines = [...all].toSorted().map((one) => `  '${one}',\n`)
writeFileSync(
  file,
  `/** Of the sample's texts, films, pictures, and PDFs, by \`npm run make:sample-fingerprints\`. */\nexport const fingerprints: readonly string[] = [\n${lines.join('')}]\n`,
)
