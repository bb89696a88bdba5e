import { isAlwaysComplete, type Language } from '#contract/languages.ts'
import { languageName } from '../i18n/language.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { UsedMessages } from '../i18n/messages.tsx'

const labels = {
  en: 'console.language.en',
  cn: 'console.language.cn',
} as const satisfies Partial<Record<Language, PlainKey>>

/** The name in the language of the page. Additional languages have their own name. */
export const languageLabel = (t: UsedMessages['t'], language: Language): string =>
  isAlwaysComplete(language) ? t(labels[language]) : languageName[language]
