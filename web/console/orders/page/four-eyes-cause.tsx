import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { aloneFactor } from '#contract/four-eyes.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'

/** Why completing the order requires a second person. */
export function FourEyesCause({ detail }: { detail: ConsoleOrderDetail }) {
  const { t, language } = useMessages()
  const { order, secondPersonCause, twoPersonsFrom } = detail
  if (secondPersonCause === null || twoPersonsFrom === null) return null
  if (secondPersonCause === 'nothing_received') return t('consoleOrders.twoPersons.nothingReceived')
  if (secondPersonCause === 'own_change') return t('consoleOrders.twoPersons.ownChange')
  if (secondPersonCause === 'daily_total') {
    const limit = writeDecimal(BigInt(aloneFactor) * parseDecimal(twoPersonsFrom))
    return t('consoleOrders.twoPersons.dailyTotal', { amount: formatDecimal(limit, language) })
  }
  return order.exactFabQty === null
    ? t('consoleOrders.twoPersons.unknown')
    : t('consoleOrders.twoPersons', { amount: formatDecimal(twoPersonsFrom, language) })
}
