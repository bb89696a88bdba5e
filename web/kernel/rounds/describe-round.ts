import { parseDecimal } from '#contract/platform/decimal.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import { formatDecimal } from '../i18n/format-decimal.ts'
import { locale } from '../i18n/language.ts'
import type { UsedMessages } from '../i18n/messages.tsx'

type Messages = Pick<UsedMessages, 't' | 'language' | 'joinNames'>
type Unit = 'days' | 'months'

/** A period in the reader's language, such as “3 months”. */
export const formatPeriod = (
  count: number,
  unit: Unit,
  { language }: Pick<UsedMessages, 'language'>,
): string =>
  new Intl.NumberFormat(locale[language], {
    style: 'unit',
    unit: unit === 'days' ? 'day' : 'month',
    unitDisplay: 'long',
  }).format(count)

/** Says when the buyer of a round gets which part of the tokens. */
export function describeVesting(plan: VestingPlan, messages: Messages): string {
  const { t, language, joinNames } = messages
  const { first, later } = plan
  const hasFirst = parseDecimal(first) > 0n
  const atCompletion = t('rounds.vesting.part.first', { percent: formatDecimal(first, language) })
  if (later === null) return t('rounds.vesting.atOnce')
  if (later.kind === 'tranches') {
    const parts = later.parts.map(({ after, unit, percent }) =>
      t('rounds.vesting.part', {
        percent: formatDecimal(percent, language),
        period: formatPeriod(after, unit, messages),
      }),
    )
    return joinNames(hasFirst ? [atCompletion, ...parts] : parts)
  }
  const linear = t(hasFirst ? 'rounds.vesting.linear.rest' : 'rounds.vesting.linear', {
    parts: later.parts,
    start: formatPeriod(later.wait + 1, later.unit, messages),
    end: formatPeriod(later.wait + later.parts, later.unit, messages),
  })
  return joinNames(hasFirst ? [atCompletion, linear] : [linear])
}

/** Says from which quantity on a round adds which bonus. Empty if there is none. */
export const describeBonus = (tiers: readonly BonusTier[], { t, language, joinNames }: Messages): string =>
  joinNames(
    tiers.map(({ from, percent }) =>
      t('rounds.bonus.tier', {
        from: formatDecimal(from, language),
        percent: formatDecimal(percent, language),
      }),
    ),
  )
