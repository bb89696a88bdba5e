import listed from '#content/languages.json' with { type: 'json' }

// Apart from the fields, so that what needs no more of the contract loads no more of it.

/**
 * By its code on the wire. The type names the two that are complete by guard: a project may list more of them in
 * `content/languages.json`, which have all that these have, because their gaps are filled with English (decision 0044).
 */
export type Language = keyof typeof listed
/** The languages of the site, in the order offered: English first. */
export const languages = Object.keys(listed) as [Language, ...Language[]]
/** Each with its own name, its tag, the locale of its dates and numbers, and what its addresses begin with. */
export const siteLanguages: Readonly<Record<Language, (typeof listed)['en']>> = listed
/** Whose texts are complete: what is said in the console, and where every other language finds what it lacks. */
export const completeLanguages = ['en', 'cn'] as const satisfies readonly Language[]
/** Others are complete as soon as nothing is missing in them. */
export const isAlwaysComplete = (language: Language): boolean => completeLanguages.includes(language)
