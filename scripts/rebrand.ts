import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { TokenChain } from '#contract/platform/chain-address.ts'
import { findSample } from '#api/publishing/content/sample/find-sample.ts'
import { readSiteTexts } from '#api/publishing/content/sample/read-site-texts.ts'
import { checkContent } from './check-content.ts'
import { findLeftovers } from './rebrand/find-leftovers.ts'
import { readBrand, readColours, rebrandTree, type Wanted } from './rebrand/rebrand-tree.ts'
import { slugOf } from './rebrand/rename-words.ts'

/* Rebrands this tree for another coin. Asks for every option that is not given; if nobody can be asked, the values
   in brackets below are used. The remaining manual steps are printed at the end and listed in
   docs/how-to/make-it-your-coin.md. */

const root = resolve(import.meta.dirname, '..')

const { values: given } = parseArgs({
  options: {
    name: { type: 'string' },
    ticker: { type: 'string' },
    domain: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string' },
    accent: { type: 'string' },
    second: { type: 'string' },
    'address-format': { type: 'string' },
    'address-prefix': { type: 'string' },
    'address-versions': { type: 'string' },
    'address-begins': { type: 'string' },
    /** Does not regenerate pictures and documents. */
    'without-made': { type: 'boolean' },
    /** Continues even if there are uncommitted changes. */
    anyway: { type: 'boolean' },
  },
})

if (!given.anyway && existsSync(join(root, '.git'))) {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (stdout.trim() !== '')
    refuse([
      'You have uncommitted changes. Commit them first so that `git diff` shows only the rebranding, or add --anyway.',
    ])
}

const asked = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : null
type Option = keyof typeof given

async function answer(option: Option, question: string, otherwise?: string): Promise<string> {
  const said = given[option]
  if (typeof said === 'string') return said.trim()
  if (!asked)
    return otherwise ?? refuse([`Set --${option} (${question}), or run this command in a terminal.`])
  for (;;) {
    const typed = (await asked.question(`${question}${otherwise ? ` [${otherwise}]` : ''}: `)).trim()
    if (typed !== '' || otherwise !== undefined) return typed || otherwise!
  }
}

const wanted = await askAll()
asked?.close()
const { from, to, problems, told } = rebrandTree(root, wanted)
if (problems.length > 0) refuse(['Nothing was changed:', ...problems])
for (const line of told) console.log(line)
run('oxfmt', join(root, 'node_modules/.bin/oxfmt'), ['content'])

const toDo = given['without-made']
  ? ['npm run make:pictures', 'npm run make:documents']
  : ['make-pictures', 'make-documents'].flatMap((script) =>
      run(script, process.execPath, ['scripts/run.mjs', script])
        ? []
        : [`npm run ${script.replace('-', ':')}`],
    )

const mistakes = checkContent(root)
for (const mistake of mistakes) console.error(mistake)
const left = findLeftovers(root, from, to)
for (const place of left) console.error(`${place}: still contains the sample’s name`)
if (mistakes.length + left.length > 0) process.exitCode = 1

console.log(`\nRebranded to ${wanted.name} (${wanted.ticker}). Next steps:`)
for (const command of toDo) console.log(`- ${command}   (pictures and documents still show the sample)`)
console.log('- npm run make:films   (takes a few minutes; updates the videos to your colors)')
console.log(
  `- ${findSample(readSiteTexts(join(root, 'content'))).length} places still contain sample text, such as people, companies, and figures: npm run check:publication`,
)
console.log('- npm test')

async function askAll(): Promise<Wanted> {
  const before = readColours(root)
  const name = await answer('name', 'Name of the coin')
  const ticker = await answer('ticker', 'Ticker')
  const domain = await answer('domain', 'Domain of the site', `${slugOf(name)}.example`)
  const email = await answer('email', 'Contact address', `hello@${domain}`)
  const phone = await answer('phone', 'Phone number, or none', 'none')
  const accent = await answer('accent', 'Accent color (# and six hex digits)', before.copper.light)
  const second = await answer('second', 'Second color', before.verdigris.light)
  return {
    name,
    ticker,
    domain,
    email,
    phone: phone === 'none' ? undefined : phone,
    accent: accent.toLowerCase(),
    second: second.toLowerCase(),
    chain: await askChain(ticker),
  }
}

async function askChain(ticker: string): Promise<TokenChain> {
  const format = await answer(
    'address-format',
    'Address format: bitcoin, bech32, ethereum, or other',
    'bitcoin',
  )
  const listed = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  if (format === 'ethereum' || format === 'other') {
    const begins = await answer('address-begins', 'Addresses start with', format === 'ethereum' ? '0x' : '')
    return { format, begins: listed(begins) }
  }
  const usual = ticker.toLowerCase()
  const prefix = await answer('address-prefix', 'Bech32 address prefix', usual)
  const testPrefixes = [`t${prefix}`, `r${prefix}`]
  if (format === 'bech32') return { format, prefix, testPrefixes, begins: [`${prefix}1`] }
  const before = readBrand(root).chain.versions ?? []
  const versions = await answer(
    'address-versions',
    'Version bytes of Base58Check addresses, key hash first',
    before.join(','),
  )
  const begins = await answer('address-begins', 'Addresses start with', `${prefix}1`)
  return {
    format,
    prefix,
    versions: listed(versions).map(Number),
    testPrefixes,
    testVersions: [],
    begins: listed(begins),
  }
}

/** Returns whether the command succeeded. Its output is shown. */
function run(what: string, command: string, words: string[]): boolean {
  const { status } = spawnSync(command, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) console.error(`${what} failed.`)
  return status === 0
}

function refuse(lines: readonly string[]): never {
  for (const line of lines) console.error(line)
  process.exit(1)
}
