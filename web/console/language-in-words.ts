import { isAlwaysComplete, type Language } from '#contract/languages.ts'
import { languageName } from '../i18n/language.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { UsedWords } from '../i18n/words.tsx'

const words = {
  en: 'console.language.en',
  cn: 'console.language.cn',
} as const satisfies Partial<Record<Language, PlainKey>>

/** In the language of the page. Further languages are shown under their own names. */
export const languageInWords = (t: UsedWords['t'], language: Language): string =>
  isAlwaysComplete(language) ? t(words[language]) : languageName[language]
