import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { Language } from '#contract/platform/languages.ts'
import { formatDecimal } from '../i18n/format-decimal.ts'
import { locale } from '../i18n/language.ts'
import type { UsedMessages } from '../i18n/messages.tsx'

type Messages = Pick<UsedMessages, 't' | 'language'>
type Unit = 'days' | 'months'

/** A period in the reader's language, such as “3 months”. */
export const formatPeriod = (count: number, unit: Unit, language: Language): string =>
  new Intl.NumberFormat(locale[language], {
    style: 'unit',
    unit: unit === 'days' ? 'day' : 'month',
    unitDisplay: 'long',
  })
    .format(count)
    .replace(/(\d)(?=\p{Script=Han})/u, '$1 ')

const joinClauses = (clauses: readonly string[], language: Language): string =>
  clauses.join(language === 'cn' ? '，' : ', ')

/** Says when the buyer of a round gets which part of the tokens. */
export function describeVesting({ first, later }: VestingPlan, { t, language }: Messages): string {
  if (later === null) return t('saleRounds.vesting.atOnce')
  const part = (percent: string, count: number, unit: Unit): string =>
    t('saleRounds.vesting.part', {
      percent: formatDecimal(percent, language),
      period: formatPeriod(count, unit, language),
    })
  const rest = writeDecimal(parseDecimal('100') - parseDecimal(first))
  const laterParts = (): string[] => {
    if (later.kind === 'tranches')
      return later.parts
        .filter(({ percent }) => parseDecimal(percent) > 0n)
        .map(({ after, unit, percent }) => part(percent, after, unit))
    const { wait, parts, unit } = later
    if (parts === 1) return [part(rest, wait + 1, unit)]
    return [
      t('saleRounds.vesting.linear', {
        percent: formatDecimal(rest, language),
        parts,
        start: formatPeriod(wait + 1, unit, language),
        end: formatPeriod(wait + parts, unit, language),
      }),
    ]
  }
  const atCompletion =
    parseDecimal(first) > 0n
      ? [t('saleRounds.vesting.part.first', { percent: formatDecimal(first, language) })]
      : []
  return joinClauses([...atCompletion, ...laterParts()], language)
}

/** Says from which quantity on a round adds which bonus. Empty if there is none. */
export const describeBonus = (tiers: readonly BonusTier[], { t, language }: Messages): string =>
  joinClauses(
    tiers.map(({ from, percent }) =>
      t('saleRounds.bonus.tier', {
        from: formatDecimal(from, language),
        percent: formatDecimal(percent, language),
      }),
    ),
    language,
  )
