import { completeLanguages, isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import { furtherLanguages } from '../../../platform/site-content/further-language.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { checkSchema } from './check-schema.ts'
import { messageSchema } from './message-schema.ts'
import type { GivenContent } from './read-given.ts'
import { rareNames, type Brand } from './rare-names.ts'
import { WHOLE_FILE, type Found } from './problem.ts'

export type Messages = Readonly<Record<string, string>>

const none: Messages = {}

/** Placeholders that are always available without being passed. */
const alwaysKnown = ['{brand}', '{ticker}']

/**
 * Checks messages: each in English and Chinese, and optionally in additional languages, with the same placeholders and
 * tags.
 */
export function checkMessages(
  given: GivenContent,
  brand: Brand | undefined,
  fixed: GivenContent | undefined,
): Found[] {
  const found: Found[] = []
  const rare = brand && rareNames(given, brand)
  const homes = new Map<string, string>()
  const names = new Set([...given.names('messages/en'), ...given.names('messages/cn')])
  for (const name of names) {
    const files = { en: `messages/en/${name}`, cn: `messages/cn/${name}` }
    const before = found.length
    const en = readMessages(given, files.en, found)
    const cn = readMessages(given, files.cn, found)
    if (!en || !cn) continue
    const broken = new Set(found.slice(before).map(({ place }) => place))
    const known = fixed && ((fixed.json(files.en) ?? none) as Messages)
    for (const key of Object.keys(en)) {
      if (homes.has(key))
        found.push({ file: files.en, place: key, code: 'elsewhere', values: { file: homes.get(key)! } })
      homes.set(key, files.en)
    }
    found.push(...checkPair(files, { en: without(en, broken), cn: without(cn, broken), known }, rare))
    if (name === 'meta.json' && brand)
      for (const language of completeLanguages)
        found.push(...checkMeta(files[language], language === 'en' ? en : cn, language, brand))
  }
  for (const language of furtherLanguages) found.push(...checkFurther(given, language, brand, rare))
  return found
}

/** Checks a language that may have missing translations. */
function checkFurther(
  given: GivenContent,
  language: Language,
  brand: Brand | undefined,
  rare: Brand | undefined,
): Found[] {
  return given.names(`messages/${language}`).flatMap((name) => {
    const file = `messages/${language}/${name}`
    const english = given.json(`messages/en/${name}`)
    if (english === undefined)
      return [{ file, place: WHOLE_FILE, code: 'unknown_key' as const, values: { keys: name } }]
    const found: Found[] = []
    const own = readMessages(given, file, found) ?? none
    for (const [key, text] of Object.entries(own)) {
      const original = (english as Messages)[key]
      if (original === undefined) found.push({ file, place: key, code: 'unknown_key', values: { keys: key } })
      else found.push(...comparePlaceholders(file, key, original, text), ...checkText(file, key, text, rare))
    }
    if (name === 'meta.json' && brand) found.push(...checkMeta(file, own, language, brand))
    return found
  })
}

type Pair = { en: Messages; cn: Messages; known: Messages | undefined }

/** Results for pairs already checked, which are not checked again. */
const looked = new WeakMap<Messages, Omit<Pair, 'en'> & { found: readonly Found[] }>()

export function checkPair(
  files: Record<Language, string>,
  pair: Pair,
  brand: Brand | undefined,
): readonly Found[] {
  const before = looked.get(pair.en)
  // The brand's name is fixed at build time.
  if (before && before.cn === pair.cn && before.known === pair.known) return before.found
  const found = comparePair(files, pair, brand)
  looked.set(pair.en, { cn: pair.cn, known: pair.known, found })
  return found
}

function comparePair(
  files: Record<Language, string>,
  { en, cn, known }: Pair,
  brand: Brand | undefined,
): Found[] {
  const found: Found[] = []
  for (const [key, english] of Object.entries(en)) {
    const chinese = cn[key]
    if (chinese === undefined) {
      found.push(unpaired(files, key, 'en', known))
      continue
    }
    found.push(...compareLanguages(files, key, { english, chinese, original: known?.[key] }))
    for (const language of completeLanguages) {
      const text = language === 'en' ? english : chinese
      found.push(...checkText(files[language], key, text, brand))
      if (known) found.push(...compareWithPage(files[language], key, text, known[key]))
    }
  }
  for (const key of Object.keys(cn)) if (!(key in en)) found.push(unpaired(files, key, 'cn', known))
  return found
}

/** Reports a key that only one language has: missing from the other, or unknown if the site has no such text. */
const unpaired = (
  files: Record<Language, string>,
  place: string,
  language: 'en' | 'cn',
  known: Messages | undefined,
): Found =>
  known && !(place in known)
    ? { file: files[language], place, code: 'unknown_key', values: { keys: place } }
    : { file: files[language === 'en' ? 'cn' : 'en'], place, code: 'missing' }

type Texts = { english: string; chinese: string; original: string | undefined }

/** Blames the language that differs from the original text; without an original, the English text is the reference. */
function compareLanguages(
  files: Record<Language, string>,
  place: string,
  { english, chinese, original }: Texts,
): Found[] {
  return comparePlaceholders(files.cn, place, english, chinese).flatMap((found): Found[] => {
    const of = found.code === 'tags' ? tagsOf : placeholdersOf
    if (original === undefined || of(chinese) !== of(original)) return [found]
    // The comparison with the page reports all other differences of the English text.
    if (found.code === 'tags' || passedPlaceholdersOf(english) !== passedPlaceholdersOf(original)) return []
    const values = { found: of(english), expected: of(original) }
    return [{ file: files.en, place, code: 'placeholders_fixed', values }]
  })
}

function readMessages(given: GivenContent, file: string, found: Found[]): Messages | undefined {
  const value = given.json(file)
  if (value === undefined) {
    found.push({ file, place: WHOLE_FILE, code: 'missing' })
    return undefined
  }
  const checked = checkSchema(file, messageSchema, value)
  found.push(...checked.found)
  if (checked.data !== undefined) return checked.data as Messages
  // One invalid text must not hide problems of the others.
  if (!isRecord(value)) return undefined
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}

/** Removes texts with a problem of their own, which is reported only once, whatever the other language has there. */
export const without = (texts: Messages, broken: ReadonlySet<string>): Messages =>
  broken.size === 0 ? texts : Object.fromEntries(Object.entries(texts).filter(([key]) => !broken.has(key)))

export function comparePlaceholders(file: string, place: string, english: string, chinese: string): Found[] {
  const compare = (code: 'placeholders' | 'tags', of: (text: string) => string): Found[] =>
    of(english) === of(chinese)
      ? []
      : [{ file, place, code, values: { found: of(chinese), expected: of(english) } }]
  return [...compare('placeholders', placeholdersOf), ...compare('tags', tagsOf)]
}

function checkText(file: string, place: string, text: string, brand: Brand | undefined): Found[] {
  const found: Found[] = []
  if (!hasClosedTags(text)) found.push({ file, place, code: 'open_tag' })
  if (brand && namesBrand(text, brand))
    found.push({ file, place, code: 'brand_named', values: { first: '{brand}', second: '{ticker}' } })
  return found
}

/**
 * Whether the text contains the brand's name. A name that is also an ordinary word can't be recognized: `rareNames`
 * leaves it empty.
 */
const namesBrand = (text: string, { name, ticker }: Brand): boolean =>
  (name !== '' && text.includes(name)) || (ticker !== '' && text.split(/\W+/).includes(ticker))

/** Requires exactly the placeholders and tags that the page was written with. */
function compareWithPage(file: string, place: string, text: string, original: string | undefined): Found[] {
  if (original === undefined) return [{ file, place, code: 'unknown_key', values: { keys: place } }]
  const compare = (code: 'placeholders_fixed' | 'tags_fixed', of: (text: string) => string): Found[] =>
    of(original) === of(text)
      ? []
      : [{ file, place, code, values: { found: of(text), expected: of(original) } }]
  return [...compare('placeholders_fixed', passedPlaceholdersOf), ...compare('tags_fixed', tagsOf)]
}

const placeholdersIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

/** Returns which placeholders occur, not how often: Chinese may use a name once where English uses it twice. */
const placeholdersOf = (text: string): string => placeholdersIn(text).join(' ')

const passedPlaceholdersOf = (text: string): string =>
  placeholdersIn(text)
    .filter((name) => !alwaysKnown.includes(name))
    .join(' ')

const tagsOf = (text: string): string => (text.match(/<\/?\w+>/g) ?? []).toSorted().join(' ')

const hasClosedTags = (text: string): boolean => !/<\/?\w+>/.test(text.replaceAll(/<(\w+)>[^<]*<\/\1>/g, ''))

const metaRoutes = [
  'home',
  'login.signin',
  'login.signup',
  'login.reset',
  'login.changePassword',
  'login.activate',
  'ambassadorProgram',
  'help',
  'news',
  'account.userInfo',
  'account.accountDetails',
  'account.security',
  'kyc',
  'kyc.phone',
  'newsPreview',
  'currentlyUnavailable',
  'project',
  'legal.terms',
  'legal.privacy',
]

/** Minimum and maximum characters, including the brand's name. Search engines truncate longer ones. */
const metaLengths = {
  en: { title: [8, 60], description: [120, 160] },
  cn: { title: [4, 30], description: [35, 80] },
} as const

/** The widest bounds, because languages differ in how much a character expresses. */
const furtherLengths = { title: [4, 60], description: [35, 160] } as const

/** Names of typical length. */
const usual = { brand: 'Brand', ticker: 'COI' }

/** Checks titles and descriptions of pages. */
function checkMeta(
  file: string,
  messages: Messages,
  language: Language,
  { name, ticker }: { name: string; ticker: string },
): Found[] {
  const found: Found[] = []
  const places = metaRoutes.flatMap((route) =>
    ['title', 'description'].map((part) => ['meta', route, part].join('.')),
  )
  if (isAlwaysComplete(language))
    for (const place of places) if (!(place in messages)) found.push({ file, place, code: 'meta_missing' })
  for (const [place, text] of Object.entries(messages)) {
    const part = place.slice(place.lastIndexOf('.') + 1)
    if (!place.startsWith('meta.') || (part !== 'title' && part !== 'description')) {
      found.push({ file, place, code: 'meta_key' })
      continue
    }
    const [min, max] = (isAlwaysComplete(language) ? metaLengths[language] : furtherLengths)[part]
    const lengthWith = (brand: string, coin: string) =>
      text.replaceAll('{brand}', brand).replaceAll('{ticker}', coin).length
    const fits = (length: number) => length >= min && length <= max
    const count = lengthWith(name, ticker)
    // A text is not at fault if only a very short or long name makes it break the limits.
    if (!fits(count) && !fits(lengthWith(usual.brand, usual.ticker)))
      found.push({ file, place, code: 'meta_length', values: { count, min, max } })
  }
  return found
}
