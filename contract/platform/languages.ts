import listed from '#content/languages.json' with { type: 'json' }

// Kept separate from the fields, so that pages that need only this load less of the contract.

/**
 * Language code on the wire. The type names the two languages that an architecture test keeps complete. A project can
 * list more of them in `content/languages.json`; missing translations fall back to English (decision 0044).
 */
export type Language = keyof typeof listed
/** The languages of the site in display order, English first. */
export const languages = Object.keys(listed) as [Language, ...Language[]]
/** Each with its own name, language tag, locale for dates and numbers, and address prefix. */
export const siteLanguages: Readonly<Record<Language, (typeof listed)['en']>> = listed
/** Languages with complete texts. The console uses them, and every other language falls back to them. */
export const completeLanguages = ['en', 'cn'] as const satisfies readonly Language[]
/** Other languages count as complete once no translation is missing. */
export const isAlwaysComplete = (language: Language): boolean => completeLanguages.includes(language)

/**
 * Adds the space that Chinese typography requires between digits and Han characters, and that `Intl` omits in dates:
 * 2026 年 11 月 5 日.
 */
export const spaceDate = (date: string): string =>
  date.replaceAll(
    /(\d)([年月日])(?=(\d?))/g,
    (_, digit: string, han: string, next: string) => `${digit} ${han}${next && ' '}`,
  )
