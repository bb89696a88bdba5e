import { isAlwaysComplete, type Language } from '#contract/languages.ts'
import type { Messages } from './check-messages.ts'
import type { Found } from './problem.ts'

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
export function checkMeta(
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
