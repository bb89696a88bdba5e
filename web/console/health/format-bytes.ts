import type { Language } from '#contract/fields.ts'
import { formatNumber } from '../../i18n/interpolate.ts'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats a size in the largest unit with a value of at least 1, with up to three digits. */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  const digits = power === 0 || amount >= 100 ? 0 : 1
  return `${formatNumber(Number(amount.toFixed(digits)), language)} ${units[power]}`
}
