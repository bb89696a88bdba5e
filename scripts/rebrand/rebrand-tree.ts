import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brand as brandSchema } from '#api/publishing/content/rules/brand-schema.ts'
import { colours as coloursSchema } from '#api/publishing/content/rules/colours-schema.ts'
import type { TokenChain } from '#contract/platform/chain-address.ts'
import { textFilesIn } from './find-leftovers.ts'
import { mixColours, type Palette } from './mix-colours.ts'
import { renameWords, slugOf, type Named } from './rename-words.ts'

export type Wanted = {
  name: string
  ticker: string
  /** The domain of the project's site, from which addresses in texts and links are derived. */
  domain: string
  email: string
  phone: string | undefined
  /** Two colors, as # followed by six digits. */
  accent: string
  second: string
  chain: TokenChain
}
type Brand = Omit<Wanted, 'domain' | 'accent' | 'second'> & Record<string, unknown>

/** Tests of the sample content, which are deleted with it. */
const ofTheSample = ['tests/guards/sample-brand.test.ts']

const readJson = (root: string, file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const writeJson = (root: string, file: string, value: unknown) =>
  writeFileSync(join(root, file), `${JSON.stringify(value, null, 2)}\n`)

export const readColours = (root: string): Palette => readJson(root, 'content/colours.json') as Palette
export const readBrand = (root: string): Brand => readJson(root, 'content/brand.json') as Brand

export const namedBy = ({
  name,
  ticker,
  email,
  chain,
}: Pick<Brand, 'name' | 'ticker' | 'email' | 'chain'>): Named => ({
  name,
  ticker,
  domain: email.slice(email.indexOf('@') + 1),
  prefix: chain.prefix ?? ticker.toLowerCase(),
  testPrefixes: chain.testPrefixes ?? [],
  versions: chain.versions ?? [],
})

type Rebranded = { from: Named; to: Named; problems: string[]; told: string[] }

/**
 * Changes the name, ticker, domain, chain, and colors of a tree: the texts of its content, `brand.json`, and
 * `colours.json`. If a value cannot be used, nothing is written and `problems` says why.
 */
export function rebrandTree(root: string, wanted: Wanted): Rebranded {
  const before = readBrand(root)
  const from = namedBy(before)
  const to: Named = { ...namedBy(wanted), domain: wanted.domain }
  const { accent, second, domain: _, phone, ...values } = wanted
  const { phone: formerPhone, ...rest } = before
  const renamed = JSON.parse(renameWords(JSON.stringify(rest), from, to)) as object
  const own = phone === undefined ? {} : { phone }
  const links = ownLinks((renamed as Brand)['links'], wanted.domain)
  const gone = Object.keys((renamed as Brand)['links'] as object).filter((name) => !(name in links))
  const brand = { ...renamed, ...values, ...own, links, storageKey: `${slugOf(wanted.name)}.language` }
  const wrong = [accent, second].filter((colour) => !/^#[0-9a-f]{6}$/.test(colour))
  if (wrong.length > 0)
    return {
      from,
      to,
      told: [],
      problems: wrong.map(
        (colour) => `content/colours.json: ${colour} isn’t a color: use # and six digits, 0 to 9 or a to f`,
      ),
    }
  const mixed = mixColours(readColours(root), accent, second)
  const problems = [
    ...problemsOf('content/brand.json', brandSchema.safeParse(brand).error),
    ...problemsOf('content/colours.json', coloursSchema.safeParse(mixed.palette).error),
  ]
  if (problems.length > 0) return { from, to, problems, told: [] }
  for (const path of textFilesIn(root, join(root, 'content'))) {
    const text = readFileSync(path, 'utf8')
    const said = renameWords(text, from, to)
    if (said !== text) writeFileSync(path, said)
  }
  writeJson(root, 'content/brand.json', brand)
  writeJson(root, 'content/colours.json', mixed.palette)
  for (const file of ofTheSample) rmSync(join(root, file), { force: true })
  return {
    from,
    to,
    problems,
    told: [
      ...mixed.told,
      ...(formerPhone && !phone ? ['The sample’s phone number was removed.'] : []),
      ...gone.map((name) => `links.${name} was removed: it linked to a fictional company in the sample.`),
    ],
  }
}

/** Pages of companies that the sample invented lead nowhere. */
function ownLinks(links: unknown, domain: string): object {
  const kept = Object.entries(links as object).map(
    ([name, link]: [string, unknown]) =>
      [name, typeof link === 'string' ? link : ownLinks(link, domain)] as const,
  )
  return Object.fromEntries(
    kept.filter(([, link]) => typeof link !== 'string' || new URL(link).host.endsWith(domain)),
  )
}

type SchemaError = { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined
const problemsOf = (file: string, error: SchemaError): string[] =>
  (error?.issues ?? []).map(({ path, message }) => `${file}: ${path.join('.')}: ${message}`)
