import type { Sale } from '#contract/sale.ts'
import { useMessages } from '../i18n/messages.tsx'

export const isClosed = ({ isOpen, payMethods }: Sale): boolean => !isOpen || payMethods.length === 0

const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > Date.now()
const isPast = (at: string | null): at is string => at !== null && Date.parse(at) <= Date.now()

/** Says that the sale is closed, and when it opens if that is known. */
export function SaleClosed({ sale: { opensAt, closesAt } }: { sale: Sale }) {
  const { t, formatMoment } = useMessages()
  if (isAhead(opensAt)) return <p>{t('orders.place.opensAt', { time: formatMoment(opensAt) })}</p>
  if (isPast(closesAt)) return <p>{t('orders.place.closedAt', { time: formatMoment(closesAt) })}</p>
  return <p>{t('orders.place.closedText')}</p>
}
