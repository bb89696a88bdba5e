import { sentence, type Sentence } from '../text/sentence.ts'
import type { Environment } from './setting-reader.ts'

/** Prefixes that no other program’s settings use, or so rarely that a remark does no harm. */
const prefixes = [
  'AMBASSADOR_',
  'CHAIN_',
  'ENCRYPTION_',
  'KYC_',
  'MAIL_',
  'METRICS_',
  'SALE_',
  'SCREENING_',
  'SMTP_',
  'STAFF_',
  'STORAGE_',
]
/** Written by container platforms for a service called `smtp` or `storage`. */
const ofPlatform = /_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)\w*)?|(TCP|UDP)_\w+|ENV_\w+)$/

/**
 * A sentence for each unknown name in the environment that resembles a setting, with the likely one. Values are
 * never shown.
 */
export function remarkOnNames(environment: Environment, known: ReadonlySet<string>): Sentence[] {
  const settings = [...known]
  return Object.keys(environment)
    .filter((name) => !known.has(name) && environment[name]?.trim())
    .flatMap((name) => {
      const meant = likelyOf(name, settings)
      return meant
        ? [
            sentence`The setting ${{ setting: name }} does not exist and has no effect. Did you mean ${{ setting: meant }}?`,
          ]
        : []
    })
}

function likelyOf(name: string, settings: readonly string[]): string | undefined {
  if (ofPlatform.test(name)) return undefined
  const plain = plainOf(name)
  const nearest = settings
    .map((setting) => ({ setting, away: distance(plain, plainOf(setting)) }))
    .toSorted((a, b) => a.away - b.away)[0]
  if (!nearest) return undefined
  if (nearest.away <= toleranceOf(nearest.setting)) return nearest.setting
  const prefix = prefixes.find((each) => name.startsWith(each))
  if (!prefix) return undefined
  const alike = settings.filter((setting) => setting.startsWith(prefix) && !setting.endsWith('_FILE'))
  return alike.toSorted((a, b) => distance(plain, plainOf(a)) - distance(plain, plainOf(b)))[0]
}

/** Ignores case and separators. */
const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z\d]/g, '')

/** In short names every letter counts, except two swapped ones: `HOME` is not `HOST`. */
const toleranceOf = (setting: string): number => (setting.length < 6 ? 0.5 : setting.length < 10 ? 1 : 2)

/** Edit distance; two swapped neighbors count as half an edit. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let best = Math.min(row[j - 1]! + 1, rows[i - 1]![j]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 0.5)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
