import { isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import { languageName } from './language.ts'
import type { PlainKey } from './message-key.ts'
import type { UsedMessages } from './messages.tsx'

const labels = {
  en: 'console.language.en',
  cn: 'console.language.cn',
} as const satisfies Partial<Record<Language, PlainKey>>

/** The name in the language of the page. Additional languages have their own name. */
export const languageLabel = (t: UsedMessages['t'], language: Language): string =>
  isAlwaysComplete(language) ? t(labels[language]) : languageName[language]
