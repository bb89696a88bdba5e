import type { ChainPayment } from '#contract/money/chain-payments.ts'
import type { ConsoleOrderDetail } from '#contract/money/console-orders.ts'
import { decimal, isBeyondTolerance, parseDecimal } from '#contract/platform/decimal.ts'
import { readTypedAmount, typedFrom } from '../../../kernel/typed-amount.ts'
import {
  change,
  fields,
  reason,
  textsOf,
  type ActionField,
  type OrderAction,
  type ReasonNeed,
  type Values,
} from './action.ts'

const today = () => new Date().toISOString().slice(0, 10)

const recorded = {
  txId: { name: 'txId', label: 'consoleOrders.txId', schema: fields.txId, kind: 'code' },
  paidAmount: {
    name: 'paidAmount',
    label: 'consoleOrders.record.amount',
    schema: fields.paidAmount,
    kind: 'decimal',
    showsDue: true,
  },
  paidAt: { name: 'paidAt', label: 'consoleOrders.record.at', schema: fields.paidAt, kind: 'day' },
} as const satisfies Record<string, ActionField>

/** Returns final data from the chain as initial values of the form. The staff member decides what is sent. */
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

/** Returns the entry as a decimal, or undefined if it is invalid. */
export function decimalOf(typed: string | undefined): string | undefined {
  const { success, data } = decimal.safeParse(readTypedAmount(typed ?? ''))
  return success ? data : undefined
}

/** Only edited fields are sent, because others may have changed the rest in the meantime. */
export function record(detail: ConsoleOrderDetail, chain: ChainPayment | null): OrderAction {
  const { order, paidAmount, paidAt, twoPersonsFrom } = detail
  const seen = evidenceOf(chain)
  const typedIn = (values: Values, name: string, before: string | null | undefined) => {
    const value = (values[name] ?? '').trim()
    return value === (before ?? '') ? undefined : value
  }
  const changesReceipt = (values: Values) =>
    typedIn(values, 'txId', order.txId) !== undefined ||
    typedIn(values, 'paidAmount', paidAmount && typedFrom(paidAmount)) !== undefined ||
    typedIn(values, 'paidAt', paidAt?.slice(0, 10)) !== undefined
  // The member is emailed the reason for another transaction, and for a lower or removed payment.
  const need = (values: Values): ReasonNeed => {
    const isReplaced = order.txId !== '' && typedIn(values, 'txId', order.txId) !== undefined
    const hadPayment = paidAmount !== null || paidAt !== null
    // The date is removed with the amount, so it matters only if it was recorded alone.
    const isTakenBack =
      hadPayment && !values['paidAmount']?.trim() && (paidAmount !== null || !values['paidAt'])
    const now = decimalOf(values['paidAmount'])
    const isLowered = now !== undefined && parseDecimal(now) < parseDecimal(paidAmount ?? '0')
    return order.status !== 'pending' || isReplaced || isTakenBack || isLowered ? 'change' : 'colleagues'
  }
  return {
    name: 'record',
    ...textsOf('consoleOrders.record'),
    done: (values) =>
      order.status === 'completed' && twoPersonsFrom !== null && changesReceipt(values)
        ? 'consoleOrders.correct.proposed'
        : 'consoleOrders.record.done',
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

/** The recorded amount. One that left the chain must be stated again. */
const recordedOf = ({ paidAmount, hasLeftChain, proposal }: ConsoleOrderDetail): string | null =>
  hasLeftChain && proposal?.counts !== true ? null : paidAmount

/**
 * Whether less than a hundredth of the amount due was received, which another finance member must approve while
 * four-eyes approval is on.
 */
function isGift(detail: ConsoleOrderDetail, values: Values): boolean {
  const { order, twoPersonsFrom, proposal } = detail
  const received = recordedOf(detail) ?? decimalOf(values['paidAmount'])
  const isFirst = twoPersonsFrom !== null && proposal?.counts !== true
  if (!isFirst || received === undefined) return false
  const sum = parseDecimal(received)
  return sum === 0n || 100n * sum < parseDecimal(order.exactAmount ?? '0')
}

/** Returns why completing the order requires a reason with the current entries. The server applies the same rules. */
const completionNeed =
  (detail: ConsoleOrderDetail) =>
  (values: Values): ReasonNeed => {
    const { order, hasLeftChain, tolerancePercent, proposal, provenAmount } = detail
    if (proposal?.counts && proposal.reason) return 'none'
    const received = receivedWith(detail, values)
    if (isGift(detail, values)) return 'gift'
    if (hasLeftChain && proposal?.counts !== true) return 'gone'
    if (received === undefined || parseDecimal(received) === 0n) return 'statement'
    const isProven = provenAmount !== null && parseDecimal(provenAmount) === parseDecimal(received)
    if (recordedOf(detail) === null && !isProven) return 'statement'
    if (order.exactAmount === null) return 'unknown'
    return isBeyondTolerance(tolerancePercent, received, order.exactAmount) ? 'difference' : 'none'
  }

const completionMessages = {
  completion: textsOf('consoleOrders.complete'),
  proposal: textsOf('consoleOrders.complete.propose'),
  approval: {
    label: 'consoleOrders.complete.second',
    title: 'consoleOrders.complete.second.title',
    text: 'consoleOrders.complete.text',
    confirm: 'consoleOrders.complete.second.confirm',
  },
} as const

/**
 * The received amount as recorded or as entered. A second approval states no amount, so it uses the one that the chain
 * proves.
 */
const receivedWith = (detail: ConsoleOrderDetail, values: Values): string | undefined =>
  recordedOf(detail) ??
  decimalOf(values['paidAmount']) ??
  (detail.proposal?.counts ? (detail.provenAmount ?? undefined) : undefined)

/** What is known about the payment if it isn't recorded yet. The second approver changes nothing. */
function receiptFields(detail: ConsoleOrderDetail, chain: ChainPayment | null): ActionField[] {
  const { order, proposal, paidAt } = detail
  if (proposal?.counts === true || recordedOf(detail) !== null) return []
  const seen = evidenceOf(chain)
  const amount = typedFrom(seen?.paidAmount ?? '')
  return [
    ...(order.txId === '' ? [{ ...recorded.txId, initial: seen?.txId ?? '' }] : []),
    { ...recorded.paidAmount, isRequired: true, initial: amount },
    ...(paidAt === null ? [{ ...recorded.paidAt, max: today(), initial: seen?.paidAt ?? '' }] : []),
  ]
}

export const complete = (detail: ConsoleOrderDetail, chain: ChainPayment | null): OrderAction => {
  const { takesTwo, proposal } = detail
  const isSecond = proposal?.counts === true
  const proposes = takesTwo && !isSecond
  return {
    name: 'complete',
    ...completionMessages[isSecond ? 'approval' : proposes ? 'proposal' : 'completion'],
    warning: chain !== null && chain.state !== 'paid' && 'consoleOrders.chain.notPaid',
    ...(!isSecond && {
      confirm: (values) =>
        proposes || isGift(detail, values)
          ? completionMessages.proposal.confirm
          : completionMessages.completion.confirm,
    }),
    done: (_, now) =>
      now.status === 'pending' ? 'consoleOrders.complete.propose.done' : 'consoleOrders.complete.done',
    showsCause: proposes,
    showsProposal: isSecond,
    kind: 'primary',
    showsPayment: true,
    fields: [...receiptFields(detail, chain), reason('consoleOrders.reason.member', completionNeed(detail))],
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
