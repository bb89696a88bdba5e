import type { Database } from '../../../platform/db/database.ts'
import { keyCountry, listUnkeyedCountries } from './application.queries.ts'

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Common spellings that no list of names contains. */
const otherNames = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'u.k.': 'GB',
  england: 'GB',
  scotland: 'GB',
  turkey: 'TR',
  'czech republic': 'CZ',
  'viet nam': 'VN',
  'ivory coast': 'CI',
}

/**
 * Reads the names of countries in the languages of the site, and their two-letter codes (ISO 3166-1), mapped to the
 * code.
 */
function readCodes(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>(Object.entries(otherNames))
  const names = ['en', 'zh-CN'].flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
    ),
  )
  for (const letters of alphabet.flatMap((first) => alphabet.map((second) => first + second))) {
    // A former code resolves to its successor; those from X on are for private use.
    const code = new Intl.Locale('und', { region: letters }).region!
    const known = names.flatMap((each) => each.of(code) ?? [])
    if (known.length === 0 || /^(?:X[^K]|ZZ|Q[M-Z])/.test(code)) continue
    for (const name of [letters, ...known]) codes.set(name.toLowerCase(), code)
  }
  return codes
}

/** Same limit as in the column and the filter. */
const lengthMax = 100

let codes: ReadonlyMap<string, string> | undefined

/** Returns the key that groups applications from one country, however it was written. */
export function countryKeyOf(typed: string): string {
  // Some letters become two in lower case.
  const key = typed
    .trim()
    .toLowerCase()
    .slice(0, lengthMax)
    .replace(/[\uD800-\uDBFF]$/, '')
  codes ??= readCodes()
  return codes.get(key) ?? key
}

/** Adds country keys to applications from older releases, so that they can be found too. */
export async function keyCountries(db: Database): Promise<void> {
  for (;;) {
    const rows = await listUnkeyedCountries(db)
    if (rows.length === 0) return
    for (const { id, country } of rows) await keyCountry(db, id, countryKeyOf(country))
  }
}
