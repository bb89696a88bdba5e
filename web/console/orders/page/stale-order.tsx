import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useWords, type UsedWords } from '../../../i18n/words.tsx'
import { orderStates } from '../../../orders/order-states.ts'
import { Message } from '../../../ui/form-status.tsx'
import { flagWords } from '../order-words.ts'
import styles from '../orders.module.css'

/** What was on the screen beside what is so now. */
export function StaleOrder({ seen, now }: { seen: ConsoleOrderDetail; now: ConsoleOrderDetail }) {
  const { t, formatMoment } = useWords()
  const before = linesOf(seen, t, formatMoment)
  const differing = linesOf(now, t, formatMoment).flatMap(([label, value], at) =>
    before[at]?.[1] === value ? [] : [{ label, was: before[at]?.[1] ?? '', is: value }],
  )
  return (
    <Message kind="bad" role="alert">
      <p>{t('consoleOrders.stale')}</p>
      <table className={styles.stale}>
        <thead>
          <tr>
            <th scope="col">{t('consoleOrders.stale.field')}</th>
            <th scope="col">{t('consoleOrders.stale.seen')}</th>
            <th scope="col">{t('consoleOrders.stale.now')}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(({ label, was, is }) => (
            <tr key={label}>
              <th scope="row">{t(label)}</th>
              <td>{was}</td>
              <td>{is}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('consoleOrders.stale.again')}</p>
    </Message>
  )
}

/** In an order that is the same for each state. */
const linesOf = (
  detail: ConsoleOrderDetail,
  t: UsedWords['t'],
  formatMoment: UsedWords['formatMoment'],
): [PlainKey, string][] => {
  const { order, paidAmount, steps } = detail
  const none = '–'
  return [
    ['consoleOrders.state', t(orderStates[order.status].words)],
    ['consoleOrders.flags', detail.flags.map((flag) => t(flagWords[flag])).join(', ') || none],
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
