import type { api } from '#contract/api.ts'
import { findChainFlags } from './order-change.queries.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { findPayMethod, findSale } from '../sale/sale.queries.ts'
import { checkedAddresses, decimals, defined, isSameNumber } from './order-fields.ts'
import { claimTransaction } from './claim-transaction.ts'
import { confirmsShared } from './order-requirements.ts'
import { listFieldsOnceKnown } from './order-history.queries.ts'
import { orderColumns, type OrderChange, type OrderRow } from './order.queries.ts'
import { canBecome, hasRecordedPayment } from './order.rules.ts'
import { lockTransactionsOfOrders } from './order-transaction.queries.ts'
import { transactionKey } from './payment.rules.ts'

type Body = Parameters<Handler<typeof api.updateOrder>>[0]['body']

export type Change = Omit<Body, '_id' | 'memberId' | 'updatedAt'>

/** Who changes the order: a finance member, or null for the system. */
export type Changing = Pick<Services, 'config' | 'keys'> & {
  caller: { memberId: string | null; requireStepUp?: () => void }
  /** The payment comes from an imported statement or from the chain. */
  hasEvidence?: true
}

type Settled = Pick<OrderChange, 'reportedLate' | 'disputed'>

type Fields = {
  change: OrderChange
  way: Pick<OrderChange, 'receivingAddress' | 'payChain' | 'currency' | 'rate' | 'baseRate' | 'bonusPercent'>
}

type Claim = Awaited<ReturnType<typeof changedTransaction>>

/** The changes that a request would make to an order. */
export type Plan = Fields & {
  claim: Claim
  settled: Settled
  paid: Pick<OrderChange, 'paidAmount' | 'paidAt'>
  asked: 'completed' | 'cancelled' | 'pending' | undefined
  /** Fields that had no value before. */
  filled: string[]
  corrected: string[]
  /** All changed fields. */
  names: string[]
  isReplaced: boolean
  isTakenBack: boolean
  /** Whether less counts as received than was recorded. */
  isReduced: boolean
  sharesTransaction: boolean
  reason: string
  /** The reason as the member may read it. The reason for a shared payment may reveal the other member. */
  told: string
  /** By how many tokens the order then exceeds the caps of the sale, as finance confirmed. */
  excess?: string | undefined
}

/** Returns what the request would change, or undefined if it changes nothing. */
export async function planChange(db: Tx, stored: OrderRow, body: Change): Promise<Plan | undefined> {
  if (body.status !== undefined && !canBecome(stored.status, body.status)) throw new Refused('conflict')
  const { reason = '' } = body
  await lockTransactions(db, stored, body)
  const fields = await changedFields(db, stored, body)
  const claim = await changedTransaction(db, { ...stored, ...paidBy(fields) }, body)
  const settled = settledFlags(stored, body)
  const paid = changedPayment(stored, body)
  const asked = body.status !== stored.status ? body.status : undefined
  // Only the first transaction of an order is not a correction.
  const isReplaced = claim !== undefined && stored.tx_id !== ''
  const { filled, corrected } = await sortFields(db, stored, Object.keys(fields.change), isReplaced)
  const firstTxId = claim && !isReplaced ? ['txId'] : []
  const names = [...filled, ...corrected, ...firstTxId, ...Object.keys(settled), ...Object.keys(paid)]
  if (names.length === 0 && asked === undefined && !(await isNote(db, stored, body))) return undefined
  const isTakenBack = isPaymentTakenBack(stored, paid, claim)
  const isShared = asked === 'completed' && (await confirmsShared(db, stored.id, body))
  const sharesTransaction = isShared || claim?.sharesTransaction === true
  return {
    ...fields,
    claim,
    settled,
    paid,
    asked,
    filled,
    corrected,
    names,
    isReplaced,
    isTakenBack,
    isReduced: isPaymentReduced(stored, paid),
    sharesTransaction,
    reason,
    told: sharesTransaction ? '' : reason,
  }
}

/**
 * Whether finance only states a reason about money that no one expected. This settles money at a former address, which
 * the recorded amount can't include.
 */
const isNote = async (db: Tx, stored: OrderRow, { reason }: Change): Promise<boolean> =>
  Boolean(reason) && (await findChainFlags(db, stored.id)).is_unexpected

/** Locks the transactions of an order that is or becomes completed, and a transaction that the request names. */
async function lockTransactions(db: Tx, stored: OrderRow, { status, txId }: Change): Promise<void> {
  if (status === 'completed' || stored.status === 'completed' || txId)
    await lockTransactionsOfOrders(db, [stored.id], [transactionKey(txId ?? '')])
}

/** Separates fields that had no value before from those that are corrected. */
async function sortFields(
  db: Tx,
  stored: OrderRow,
  changed: readonly string[],
  isReplaced: boolean,
): Promise<Pick<Plan, 'filled' | 'corrected'>> {
  const open = changed.filter((name) => isUnknown(stored, name))
  // A value that was set once and then cleared counts as corrected: otherwise, clearing it first would let the
  // correction happen while completing.
  const known = open.length > 0 ? await listFieldsOnceKnown(db, stored.id) : new Set()
  const filled = open.filter((name) => !known.has(name))
  const corrected = [...changed.filter((name) => !filled.includes(name)), ...(isReplaced ? ['txId'] : [])]
  return { filled, corrected }
}

/** The member was told of the payment. A transaction named in its place triggers its own email. */
function isPaymentTakenBack(stored: OrderRow, paid: Plan['paid'], claim: Claim): boolean {
  const { paidAmount = stored.paid_amount, paidAt = stored.paid_at } = paid
  const isStillRecorded = hasRecordedPayment({ paid_amount: paidAmount, paid_at: paidAt })
  return hasRecordedPayment(stored) && !isStillRecorded && !claim?.txId
}

/** Whether the change removes or lowers a recorded payment, which could otherwise go unnoticed and unrefunded. */
function isPaymentReduced(
  stored: OrderRow,
  { paidAmount = stored.paid_amount, paidAt = stored.paid_at }: Plan['paid'],
): boolean {
  const isRemoved =
    hasRecordedPayment(stored) && !hasRecordedPayment({ paid_amount: paidAmount, paid_at: paidAt })
  return isRemoved || parseDecimal(paidAmount ?? '0') < parseDecimal(stored.paid_amount ?? '0')
}

/**
 * Whether finance still has to set this field of an order without a quote. Setting it is not a correction and may be
 * part of completing the order.
 */
const isUnknown = (stored: OrderRow, name: string): boolean =>
  (name === 'amount' && stored.amount === null) ||
  (name === 'fabQty' && stored.fab_qty === null) ||
  (name === 'payMethod' && stored.pay_method === '')

/**
 * Returns the received payment if it differs from the recorded one. Removing the amount also removes the date, because
 * a date alone would still count as a payment.
 */
function changedPayment(
  stored: OrderRow,
  { paidAmount, paidAt }: Pick<Change, 'paidAmount' | 'paidAt'>,
): Pick<OrderChange, 'paidAmount' | 'paidAt'> {
  const { amount } = decimals({ amount: paidAmount })
  const isNew = amount !== undefined && !isEqual(amount, stored.paid_amount, 'amount')
  if (isNew && Number(stored.paid_amount ?? 0) > 0 && Number(amount ?? 0) === 0)
    return { paidAmount: amount, ...(stored.paid_at && { paidAt: null }) }
  return {
    ...(isNew && { paidAmount: amount }),
    ...(paidAt !== undefined &&
      paidAt !== (stored.paid_at?.toISOString() ?? null) && {
        paidAt: paidAt === null ? null : new Date(paidAt),
      }),
  }
}

/** Returns the flags that finance resolves with this request. */
const settledFlags = (stored: OrderRow, body: Change): Settled => ({
  ...(stored.is_reported_late && body.reportedLate === false && { reportedLate: false }),
  ...(stored.is_disputed && body.disputed === false && { disputed: false }),
})

/**
 * Returns the changed transaction. A record sent back unchanged may still have '' for a transaction reported meanwhile,
 * so only null removes it.
 */
async function changedTransaction(
  db: Tx,
  order: OrderRow,
  { txId, sharesTransaction, reason }: Change,
): Promise<Pick<OrderChange, 'txId' | 'sharesTransaction'> | undefined> {
  if (txId === null) return order.tx_id === '' ? undefined : { txId: '', sharesTransaction: false }
  if (!txId || txId === order.tx_id) return undefined
  const claim = await claimTransaction(db, order, txId, { isConfirmed: sharesTransaction, reason })
  return claim.txId === order.tx_id ? undefined : claim
}

/**
 * Returns the fields whose values differ from the stored ones. A record sent back unchanged includes rate and
 * reference, which can't change.
 */
async function changedFields(db: Tx, stored: OrderRow, body: Change): Promise<Fields> {
  const { email, ethAddress, btcAddress, fabAddress, payMethod } = body
  const given: OrderChange = {
    ...defined({ email, ethAddress, btcAddress, fabAddress, payMethod }),
    ...decimals({
      amount: isSameNumber(body.amount, stored.amount) ? undefined : body.amount,
      fabQty: isSameNumber(body.fabQty, stored.fab_qty) ? undefined : body.fabQty,
    }),
  }
  const differs = (name: string, value: unknown) =>
    !isEqual(value as string | null, stored[orderColumns[name as keyof OrderChange]], name)
  const typed = Object.entries(given).filter(([name, value]) => differs(name, value))
  // The same checks as for members apply. Values already stored are history and stay as they are.
  const checked = (await checkedAddresses(db, Object.fromEntries(typed))) as Record<string, unknown>
  const change = Object.fromEntries(
    typed
      .map(([name, value]) => [name, checked[name] ?? value])
      .filter(([name, value]) => differs(name as string, value)),
  ) as OrderChange
  const isOther = change.payMethod !== undefined
  return { change, way: isOther ? await otherWay(db, stored, change.payMethod ?? '') : {} }
}

function isEqual(given: string | null, stored: unknown, name: string): boolean {
  if (given === null || typeof stored !== 'string' || (name !== 'amount' && name !== 'fabQty'))
    return given === stored
  return parseDecimal(given) === parseDecimal(stored)
}

/**
 * Returns the payment details for another method. While the sale is open, a pending order must use an existing method.
 * The address becomes that of the method, or empty, so that no one sends the wrong coin.
 */
async function otherWay(db: Tx, stored: OrderRow, payMethod: string): Promise<Fields['way']> {
  const method = payMethod === '' ? undefined : await findPayMethod(db, payMethod)
  const sale = await findSale(db)
  const isPending = stored.status === 'pending'
  if (isPending && payMethod !== '' && sale?.is_selling && !method?.is_open)
    throw refusedField('payMethod', 'one_of')
  // The rate was quoted for the other method.
  const unquoted = { rate: null, baseRate: null, bonusPercent: '0' }
  if (!method) return { receivingAddress: '', payChain: null, currency: null, ...unquoted }
  const isOffered = isPending && sale?.is_open && method.is_open
  return {
    receivingAddress: isOffered ? method.receiving_address : '',
    payChain: method.chain,
    currency: method.currency,
    ...unquoted,
  }
}

/** A transaction named together with another payment method belongs to that method. */
const paidBy = ({ change, way }: Fields): Partial<Pick<OrderRow, 'pay_method' | 'pay_chain'>> =>
  change.payMethod === undefined ? {} : { pay_method: change.payMethod, pay_chain: way.payChain ?? null }
