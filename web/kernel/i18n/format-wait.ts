import type { Language } from '#contract/platform/languages.ts'
import { locale } from './language.ts'

/** Adds a space between numbers and Chinese characters, as in dates. */
const digitBeforeHan = /(\d)(?=\p{Script=Han})/u

/** Formats a waiting time in its largest natural unit, rounded up so that nobody retries too early. */
export function formatWait(seconds: number, language: Language): string {
  const [unit, length] =
    seconds < 60
      ? (['second', 1] as const)
      : seconds < 2 * 3600
        ? (['minute', 60] as const)
        : seconds < 48 * 3600
          ? (['hour', 3600] as const)
          : (['day', 24 * 3600] as const)
  return new Intl.NumberFormat(locale[language], { style: 'unit', unit, unitDisplay: 'long' })
    .format(Math.ceil(seconds / length))
    .replace(digitBeforeHan, '$1 ')
}
