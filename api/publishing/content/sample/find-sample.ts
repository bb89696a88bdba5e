import { createHash } from 'node:crypto'
import { completeLanguages } from '#contract/platform/languages.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { fingerprints } from './fingerprints.ts'

/** The texts and media of a site, from its files or as published. */
export type Said = {
  brand: unknown
  /** Left out if they prove nothing: a project may keep the sample's palette. */
  colours?: unknown
  facts(file: string): unknown
  words(
    language: (typeof completeLanguages)[number],
    file: string,
  ): Readonly<Record<string, string>> | undefined
  /** Films, pictures, and PDFs, by the SHA-256 of their bytes. */
  media: readonly { place: string; sha256: string }[]
  /** Texts that PDFs and captions are generated from: generating them under another name changes their bytes. */
  sources?: readonly Piece[]
}

/** A text or medium of the sample: its place, language, and content. */
type Piece = { place: string; language: string; text: string }

/**
 * Lists of claims, people, and companies. What is true of any chain, such as the parts of the diagram, isn't among
 * them.
 */
const factFiles = [
  'ambassadors',
  'coin-facts',
  'comparison',
  'faq',
  'features',
  'partners',
  'roadmap',
  'team',
  'white-paper',
]
/**
 * Page texts that claim something about the coin, and the terms, which each project must write. Headings and labels apply
 * to any coin.
 */
const claims: Readonly<Record<string, RegExp>> = {
  home: /^home\.(?:hero\.(?:title|lead)|partners\.intro|team\.intro|comparison\.note|(?:overview|solution)\.(?:intro|paragraph\d|item\d\.text))$/,
  project: /\.(?:lead|paragraph\d|point\d)$/,
  ambassador: /^ambassador\.about\.paragraph\d$/,
  legal: /^legal\.terms\.(?:lead|\w+\.paragraph\d)$/,
}
/** Minimum length; a shorter text, such as a team member's title, may match by chance. */
const lengthMin = { en: 20, cn: 10 }

/** Everything that could be the sample's, with the names of the project replaced. */
export function piecesOf(said: Said): Piece[] {
  const neutral = neutralized(said.brand)
  const pieces: Piece[] = []
  const add = (place: string, language: string, value: unknown) =>
    pieces.push({ place, language, text: neutral(stringsIn(value).join('\n')) })
  const addBoth = (place: string, value: unknown) => {
    if (isRecord(value)) for (const language of completeLanguages) add(place, language, value[language])
  }
  for (const name of ['tagline', 'legalLine', 'address'])
    addBoth(`brand.json ${name}`, isRecord(said.brand) ? said.brand[name] : undefined)
  for (const name of factFiles) {
    const file = `facts/${name}.json`
    for (const [path, entry] of entriesIn(said.facts(file))) addBoth([file, path].join(' ').trim(), entry)
  }
  for (const language of completeLanguages)
    for (const [file, isClaim] of Object.entries(claims))
      for (const [key, text] of Object.entries(said.words(language, file) ?? {}))
        if (isClaim.test(key)) add(`messages/${language}/${file}.json ${key}`, language, text)
  if (said.colours !== undefined) add('colours.json', '', JSON.stringify(said.colours))
  // Not neutralized: any letters in a hash may look like an address.
  for (const { place, sha256 } of said.media) pieces.push({ place, language: '', text: sha256 })
  for (const { place, language, text } of said.sources ?? []) add(place, language, text)
  return pieces.filter(({ language, text }) => text.length >= (lengthMin[language as 'en' | 'cn'] ?? 1))
}

export const fingerprintOf = ({ language, text }: Piece): string =>
  createHash('sha256').update(`${language}\n${text}`).digest('hex').slice(0, 16)

const known: ReadonlySet<string> = new Set(fingerprints)

/** Returns the places that still have the sample's texts, and addresses under `.example`, which lead nowhere. */
export function findSample(said: Said): string[] {
  const found = new Map<string, string[]>()
  for (const piece of piecesOf(said)) {
    if (!known.has(fingerprintOf(piece))) continue
    const languages = found.get(piece.place) ?? []
    found.set(piece.place, [...languages, piece.language].filter(Boolean))
  }
  const same = [...found].map(([place, languages]) =>
    languages.length === 0 || place.startsWith('messages/') ? place : `${place} (${languages.join(', ')})`,
  )
  return [...same, ...exampleAddresses(said.brand)]
}

/** RFC 2606: nobody can own a name under `.example`. */
function exampleAddresses(brand: unknown): string[] {
  if (!isRecord(brand)) return []
  const addresses = {
    email: brand['email'],
    ...flat('links', brand['links']),
    ...flat('social', brand['social']),
  }
  return Object.entries(addresses).flatMap(([name, value]) =>
    typeof value === 'string' && /[@./][\w-]+\.example(?:$|[/:?#])/.test(value) ? [`brand.json ${name}`] : [],
  )
}

const flat = (path: string, value: unknown): Record<string, unknown> =>
  isRecord(value)
    ? Object.assign({}, ...Object.entries(value).map(([name, each]) => flat(`${path}.${name}`, each)))
    : { [path]: value }

/** Returns every value with an English and a Chinese part, by the IDs on its path. */
function entriesIn(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((each, at) => entriesIn(each, below(path, nameOf(each, at))))
  if (!isRecord(value)) return []
  const inside = Object.entries(value)
    // The other kinds of chains in the comparison make no claims about this one.
    .filter(([name]) => !['en', 'cn', 'columns'].includes(name))
    .flatMap(([name, each]) => entriesIn(each, below(path, name)))
  return 'en' in value ? [[path, value], ...inside] : inside
}
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
const nameOf = (entry: unknown, at: number): string =>
  isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'] : String(at + 1)

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A text without the names, hosts, and addresses that `npm run rebrand` replaces: it reads the same under every name. */
function neutralized(brand: unknown): (text: string) => string {
  const { name, ticker } = (isRecord(brand) ? brand : {}) as { name?: unknown; ticker?: unknown }
  const names = [name, typeof name === 'string' ? name.replaceAll(/[^\p{L}\p{N}]+/gu, '') : '', ticker]
    .filter((each): each is string => typeof each === 'string' && each !== '')
    .map(escaped)
  const any = new RegExp(`(?<![A-Za-z])(?:${names.join('|')})(?![a-z])`, 'gu')
  return (text) =>
    text
      .replaceAll(/[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/g, '{host}')
      .replaceAll(/\b[a-z0-9]{1,20}1[a-z0-9]{6,}\b/g, '{address}')
      .replaceAll(any, '{name}')
}
