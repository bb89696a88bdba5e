const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Written so by many, and in no list of names. */
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

/** What countries are called in the languages of the site, and their two letters (ISO 3166-1), by the code of each. */
function readCodes(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>(Object.entries(otherNames))
  const names = ['en', 'zh-CN'].flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
    ),
  )
  for (const letters of alphabet.flatMap((first) => alphabet.map((second) => first + second))) {
    // A code of former times stands for what became of it; those from X on are for private use.
    const code = new Intl.Locale('und', { region: letters }).region!
    const known = names.flatMap((each) => each.of(code) ?? [])
    if (known.length === 0 || /^(?:X[^K]|ZZ|Q[M-Z])/.test(code)) continue
    for (const name of [letters, ...known]) codes.set(name.toLowerCase(), code)
  }
  return codes
}

/** As the column and the filter have it. */
const lengthMax = 100

let codes: ReadonlyMap<string, string> | undefined

/** By what applications from one country are found together, however it was written. */
export function countryKeyOf(typed: string): string {
  // Some letters become two when they are made small.
  const key = typed
    .trim()
    .toLowerCase()
    .slice(0, lengthMax)
    .replace(/[\uD800-\uDBFF]$/, '')
  codes ??= readCodes()
  return codes.get(key) ?? key
}
