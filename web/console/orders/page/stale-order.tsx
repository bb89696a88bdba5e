import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useMessages, type UsedMessages } from '../../../i18n/messages.tsx'
import { orderStates } from '../../../orders/order-states.ts'
import { StaleState, type StateLines } from '../../detail/conflict.tsx'
import { flagLabels } from '../order-labels.ts'

export function StaleOrder({ seen, now }: { seen: ConsoleOrderDetail; now: ConsoleOrderDetail }) {
  const messages = useMessages()
  return <StaleState seen={linesOf(seen, messages)} now={linesOf(now, messages)} />
}

const linesOf = (detail: ConsoleOrderDetail, { t, formatMoment, joinNames }: UsedMessages): StateLines => {
  const { order, paidAmount, steps } = detail
  const none = '–'
  return [
    ['consoleOrders.state', t(orderStates[order.status].words)],
    ['consoleOrders.flags', joinNames(detail.flags.map((flag) => t(flagLabels[flag]))) || none],
    ['consoleOrders.payMethod', order.payMethod || none],
    ['consoleOrders.due', `${order.exactAmount ?? none} ${order.currency}`],
    ['consoleOrders.received', paidAmount ?? none],
    ['consoleOrders.quantity', order.exactFabQty ?? none],
    ['consoleOrders.txId', order.txId || none],
    ['consoleOrders.deadline', order.payBefore === null ? none : formatMoment(order.payBefore)],
    ['consoleOrders.fabAddress', order.fabAddress || none],
    ['consoleOrders.ethAddress', order.ethAddress || none],
    ['consoleOrders.btcAddress', order.btcAddress || none],
    ['consoleOrders.email', order.email || none],
    ['consoleOrders.history', t('consoleOrders.stale.history', { count: steps.length })],
  ]
}
