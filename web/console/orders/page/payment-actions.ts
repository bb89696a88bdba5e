import type { ChainPayment } from '#contract/chain-payments.ts'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { decimal, isBeyondTolerance, parseDecimal } from '#contract/decimal.ts'
import { readTypedAmount, typedFrom } from '../../../orders/placing/typed-amount.ts'
import {
  change,
  fields,
  reason,
  type ActionField,
  type OrderAction,
  type ReasonNeed,
  type Values,
} from './action.ts'

const today = () => new Date().toISOString().slice(0, 10)

const recorded = {
  txId: { name: 'txId', label: 'consoleOrders.txId', schema: fields.txId },
  paidAmount: {
    name: 'paidAmount',
    label: 'consoleOrders.record.amount',
    schema: fields.paidAmount,
    kind: 'decimal',
    saysDue: true,
  },
  paidAt: { name: 'paidAt', label: 'consoleOrders.record.at', schema: fields.paidAt, kind: 'day' },
} as const satisfies Record<string, ActionField>

/** What the chain shows as final: where the form begins. What is sent is still what the officer says. */
function evidenceOf(
  chain: ChainPayment | null,
): { txId: string; paidAmount: string; paidAt: string } | undefined {
  if (!chain || chain.confirmations < chain.confirmationsNeeded) return undefined
  const [largest] = chain.transactions
    .filter(({ state }) => state === 'confirmed')
    .toSorted((a, b) => (parseDecimal(a.amount) < parseDecimal(b.amount) ? 1 : -1))
  return (
    largest && {
      txId: largest.id,
      paidAmount: chain.received,
      paidAt: largest.firstSeenAt.slice(0, 10),
    }
  )
}

/** The entry as a decimal, or undefined while it is none. */
export function decimalOf(typed: string | undefined): string | undefined {
  const { success, data } = decimal.safeParse(readTypedAmount(typed ?? ''))
  return success ? data : undefined
}

/** Only what was typed differently is sent: the rest may have been changed by others meanwhile. */
export function record(detail: ConsoleOrderDetail, chain: ChainPayment | null): OrderAction {
  const { order, paidAmount, paidAt } = detail
  const seen = evidenceOf(chain)
  const typedIn = (values: Values, name: string, before: string | null | undefined) => {
    const value = (values[name] ?? '').trim()
    return value === (before ?? '') ? undefined : value
  }
  // Another transaction is a correction, and so is that nothing was received: the member is emailed the reason.
  const need = (values: Values): ReasonNeed => {
    const isReplaced = order.txId !== '' && typedIn(values, 'txId', order.txId) !== undefined
    const hadPayment = paidAmount !== null || paidAt !== null
    const isTakenBack = hadPayment && !values['paidAmount']?.trim() && !values['paidAt']
    return order.status !== 'pending' || isReplaced || isTakenBack ? 'change' : 'colleagues'
  }
  return {
    name: 'record',
    label: 'consoleOrders.record',
    title: 'consoleOrders.record.title',
    text: 'consoleOrders.record.text',
    confirm: 'consoleOrders.record.confirm',
    done: 'consoleOrders.record.done',
    fields: [
      { ...recorded.txId, initial: order.txId || (seen?.txId ?? '') },
      { ...recorded.paidAmount, initial: typedFrom(paidAmount ?? seen?.paidAmount ?? '') },
      { ...recorded.paidAt, max: today(), initial: paidAt?.slice(0, 10) ?? seen?.paidAt ?? '' },
      reason('consoleOrders.reason', need),
    ],
    run: (values, now, { isShared }) => {
      const txId = typedIn(values, 'txId', order.txId)
      const amount = typedIn(values, 'paidAmount', paidAmount && typedFrom(paidAmount))
      const day = typedIn(values, 'paidAt', paidAt?.slice(0, 10))
      return change(now, {
        ...(txId !== undefined && { txId: txId || null }),
        ...(amount !== undefined && { paidAmount: amount || null }),
        ...(day !== undefined && { paidAt: day ? `${day}T00:00:00.000Z` : null }),
        ...(isShared && { sharesTransaction: true }),
        reason: values['reason'] ?? '',
      })
    },
  }
}

/** Why completing takes a reason as the entries stand; the server decides by the same rules. */
const completionNeed =
  ({ order, paidAmount, tolerancePercent, proposal }: ConsoleOrderDetail, chain: ChainPayment | null) =>
  (values: Values): ReasonNeed => {
    if (proposal?.counts && proposal.reason) return 'none'
    const received = paidAmount ?? decimalOf(values['paidAmount'])
    if (received === undefined || parseDecimal(received) === 0n) return 'statement'
    const isOnChain = chain?.state === 'paid' && parseDecimal(chain.received) === parseDecimal(received)
    if (paidAmount === null && !isOnChain) return 'statement'
    return isBeyondTolerance(tolerancePercent, received, order.exactAmount) ? 'difference' : 'none'
  }

/** With what the chain shows, where it was not recorded yet. The second of two confirms, and changes nothing. */
export const complete = (detail: ConsoleOrderDetail, chain: ChainPayment | null): OrderAction => {
  const { order, takesTwo, proposal, paidAmount, paidAt } = detail
  const isSecond = proposal?.counts === true
  const proposes = takesTwo && !isSecond
  const seen = isSecond ? undefined : evidenceOf(chain)
  const isToState = !isSecond && paidAmount === null
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
    showsPayment: true,
    fields: [
      ...(isToState && order.txId === '' ? [{ ...recorded.txId, initial: seen?.txId ?? '' }] : []),
      ...(isToState
        ? [{ ...recorded.paidAmount, isRequired: true as const, initial: typedFrom(seen?.paidAmount ?? '') }]
        : []),
      ...(isToState && paidAt === null
        ? [{ ...recorded.paidAt, max: today(), initial: seen?.paidAt ?? '' }]
        : []),
      reason('consoleOrders.reason.member', completionNeed(detail, chain)),
    ],
    run: (values, now, { isShared }) => {
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
