import type { ChainPayment } from '#contract/chain-payments.ts'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { parseDecimal } from '#contract/decimal.ts'
import { differenceOf } from '../../../orders/chain/chain-figures.ts'
import { change, fields, reason, type ActionField, type OrderAction } from './action.ts'

const recorded = {
  txId: { name: 'txId', label: 'consoleOrders.txId', schema: fields.txId },
  paidAmount: {
    name: 'paidAmount',
    label: 'consoleOrders.record.amount',
    schema: fields.paidAmount,
    saysDue: true,
  },
  paidAt: { name: 'paidAt', label: 'consoleOrders.record.at', schema: fields.paidAt, kind: 'day' },
} as const satisfies Record<string, ActionField>

/** What the chain shows as final: where the form begins. What is sent is still what the officer says. */
function evidenceOf(
  chain: ChainPayment | null,
): { txId: string; paidAmount: string; paidAt: string; differs: boolean } | undefined {
  if (!chain || chain.confirmations < chain.confirmationsNeeded) return undefined
  const [largest] = chain.transactions
    .filter(({ state }) => state === 'confirmed')
    .toSorted((a, b) => (parseDecimal(a.amount) < parseDecimal(b.amount) ? 1 : -1))
  return (
    largest && {
      txId: largest.id,
      paidAmount: chain.received,
      paidAt: largest.firstSeenAt.slice(0, 10),
      differs: differenceOf(chain) !== '0',
    }
  )
}

/** Only what was typed differently is sent: the rest may have been changed by others meanwhile. */
export const record = (
  { order, paidAmount, paidAt }: ConsoleOrderDetail,
  chain: ChainPayment | null,
): OrderAction => ({
  name: 'record',
  label: 'consoleOrders.record',
  title: 'consoleOrders.record.title',
  text: 'consoleOrders.record.text',
  confirm: 'consoleOrders.record.confirm',
  done: 'consoleOrders.record.done',
  fields: [
    { ...recorded.txId, initial: order.txId || (evidenceOf(chain)?.txId ?? '') },
    { ...recorded.paidAmount, initial: paidAmount ?? evidenceOf(chain)?.paidAmount ?? '' },
    { ...recorded.paidAt, initial: paidAt?.slice(0, 10) ?? evidenceOf(chain)?.paidAt ?? '' },
    // Another transaction is a correction, and so is that nothing was received: its member is mailed the reason.
    reason(
      order.status === 'pending' && order.txId === '' && paidAmount === null && paidAt === null
        ? 'consoleOrders.reason.internalOptional'
        : 'consoleOrders.reason.replacing',
    ),
  ],
  run: (values, now, isShared) => {
    const typed = (name: string, before: string | null | undefined) => {
      const value = (values[name] ?? '').trim()
      return value === (before ?? '') ? undefined : value
    }
    const txId = typed('txId', order.txId)
    const amount = typed('paidAmount', paidAmount)
    const day = typed('paidAt', paidAt?.slice(0, 10))
    return change(now, {
      ...(txId !== undefined && { txId: txId || null }),
      ...(amount !== undefined && { paidAmount: amount || null }),
      ...(day !== undefined && { paidAt: day ? `${day}T00:00:00.000Z` : null }),
      ...(isShared && { sharesTransaction: true }),
      reason: values['reason'] ?? '',
    })
  },
})

/** With what the chain shows, where it was not recorded yet. A second voice confirms, and changes nothing. */
export const complete = (detail: ConsoleOrderDetail, chain: ChainPayment | null): OrderAction => {
  const { order, difference, takesTwo, proposal, paidAmount, paidAt } = detail
  const isSecond = proposal?.counts === true
  const proposes = takesTwo && !isSecond
  const seen = isSecond ? undefined : evidenceOf(chain)
  const isOther = difference === null ? seen !== undefined && seen.differs : difference !== '0'
  return {
    name: 'complete',
    label: proposes
      ? 'consoleOrders.complete.propose'
      : isSecond
        ? 'consoleOrders.complete.second'
        : 'consoleOrders.complete',
    title: 'consoleOrders.complete.title',
    text: proposes ? 'consoleOrders.complete.proposeText' : 'consoleOrders.complete.text',
    warning: chain !== null && chain.state !== 'paid' && 'consoleOrders.chain.notPaid',
    confirm: proposes ? 'consoleOrders.complete.proposeConfirm' : 'consoleOrders.complete.confirm',
    done: proposes ? 'consoleOrders.complete.proposed' : 'consoleOrders.complete.done',
    kind: 'primary',
    fields: [
      ...(seen && order.txId === '' ? [{ ...recorded.txId, initial: seen.txId }] : []),
      ...(seen && paidAmount === null ? [{ ...recorded.paidAmount, initial: seen.paidAmount }] : []),
      ...(seen && paidAt === null ? [{ ...recorded.paidAt, initial: seen.paidAt }] : []),
      reason(isOther ? 'consoleOrders.reason.difference' : 'consoleOrders.reason.memberOptional'),
    ],
    run: (values, now, isShared) => {
      const { reason: why = '', ...typed } = values
      const {
        txId,
        paidAmount: amount,
        paidAt: day,
      } = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value.trim()]))
      return change(now, {
        status: 'completed',
        ...(txId && { txId }),
        ...(amount && { paidAmount: amount }),
        ...(day && { paidAt: `${day}T00:00:00.000Z` }),
        reason: why,
        ...(isShared && { sharesTransaction: true }),
      })
    },
  }
}
