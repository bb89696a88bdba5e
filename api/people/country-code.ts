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

let codes: ReadonlyMap<string, string> | undefined

/** Returns the two-letter code of a country that was typed as text; undefined if it is not recognized. */
export function countryCodeOf(typed: string): string | undefined {
  codes ??= readCodes()
  return codes.get(typed.trim().toLowerCase())
}
