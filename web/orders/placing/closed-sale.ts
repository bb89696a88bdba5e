import type { Sale } from '#contract/money/sale.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'

type Period = Pick<Sale, 'opensAt' | 'closesAt'>

const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > Date.now()
const isPast = (at: string | null): at is string => at !== null && Date.parse(at) <= Date.now()

/** Says that the sale is closed, and when it opens, if that is known. */
export function describeClosedSale({ t, language }: UsedMessages, { opensAt, closesAt }: Period): string {
  if (isAhead(opensAt)) return t('orders.place.opensAt', { time: formatMoment(opensAt, language) })
  if (isPast(closesAt)) return t('orders.place.closedAt', { time: formatMoment(closesAt, language) })
  return t('orders.place.closedText')
}
