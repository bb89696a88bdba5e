import type { api } from '#contract/api.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { currencyOf, type Order, orderStates, type OrderState } from '#contract/money/orders.ts'
import type { Quote } from '#contract/money/sale.ts'
import { allAtOnce, splitTokens, type VestingPlan } from '#contract/money/vesting.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { idempotent } from '../../platform/idempotency/idempotent.ts'
import { findKycStateOfMember } from '../../people/kyc/kyc.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField, type FieldRefusal } from '../../platform/refused.ts'
import {
  requireRoom,
  requireQuotedRoom,
  requireNotReturned,
  coversPrice,
  readSaleRates,
  requireReasonOffRate,
  recordExceededCap,
  requireConfirmedExcess,
  requireNoSelfPricing,
} from './order-requirements.ts'
import { findPayMethod, lockSale, type PayMethodRow, type SaleRow, findSale } from '../sale/sale.queries.ts'
import { auditOrder, insertOrderStep, sharesWithOrderOf, type OrderStep } from './order-history.queries.ts'
import {
  checkedAddresses,
  decimals,
  defined,
  numberText,
  auditedChanges,
  describeEntry,
} from './order-fields.ts'
import { recordingRefusedClaims, claimTransaction } from './claim-transaction.ts'
import { notifyOwner, placedMail, completedMail } from './notify-owner.ts'
import { withOwnAddress } from './receiving-address.ts'
import { insertOrder, type OrderChange, type OrderRow } from './order.queries.ts'
import { presentOrder } from './present-order.ts'
import { promisePeriod } from './withdrawals/promised-period.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { readOrderPolicy } from '../../people/four-eyes/read-policy.ts'
import { findMemberById, type MemberRow } from '../../people/members/member.queries.ts'
import { bonusOf, effectiveMethod, findBarrier, shownNameOf, vestingOf } from '../sale/current-round.ts'
import { findRound, findRoundOf, findRoundToEnter, type RoundRow } from '../sale/rounds.queries.ts'
import { requireWithinMethod, quoteAmount, type Quoted } from '../sale/sale.rules.ts'
import { lockTransactionKeys } from './order-transaction.queries.ts'
import { transactionKey } from './payment.rules.ts'
import { findSecondPersonCause, takesTwo } from './four-eyes.ts'
import { insertQuote, lockQuoteOfMember, markQuoteUsed, type QuoteRow } from './quote.queries.ts'

const quotesPerHourMax = 120

export const createQuote: Handler<typeof api.createQuote> = async ({ body }, { db, keys, caller }) => {
  if ((await findKycStateOfMember(db, caller.memberId)) !== 'approved') throw new Refused('identity_needed')
  const sale = await findSale(db)
  if (!sale?.is_selling) throw new Refused('sale_closed')
  await requireNoSelfPricing(db, caller.memberId)
  const round = sale.round_id === null ? undefined : await findRound(db, sale.round_id)
  // Staff removed it since the sale was read.
  if (sale.round_id !== null && !round) throw new Refused('sale_closed')
  if (round) await requireAdmitted(db, round, caller.memberId)
  const offered = await findPayMethod(db, body.payMethod)
  if (!offered?.is_open) throw refusedField('payMethod', 'one_of')
  const method = effectiveMethod(offered, round)
  const quoted = quoteAmount(method, body.amount, round && bonusOf(round))
  await requireQuotedRoom(db, { sale, round }, method, { ...quoted, memberId: caller.memberId })
  await requireWithinLimits(db, keys, [
    { key: `quote ${caller.memberId}`, max: quotesPerHourMax, window: HOUR },
  ])
  const row = await insertQuote(db, {
    memberId: caller.memberId,
    payMethod: method.code,
    currency: method.currency,
    amount: body.amount,
    rate: quoted.rate,
    fabQty: quoted.fabQty,
    baseRate: method.rate,
    bonusPercent: quoted.bonusPercent,
    roundId: round?.id ?? null,
    vesting: round ? vestingOf(round) : null,
    minutes: sale.quote_minutes,
  })
  return presentQuote(row, round, quoted)
}

async function requireAdmitted(db: Tx, round: RoundRow, memberId: string): Promise<void> {
  if ((await findBarrier(db, round, memberId)) !== null) throw new Refused('not_admitted')
}

const presentQuote = (
  row: QuoteRow,
  round: RoundRow | undefined,
  { baseQty }: Pick<Quoted, 'baseQty'>,
): Quote => ({
  quoteId: row.id,
  payMethod: row.pay_method,
  amount: shortDecimal(row.amount),
  currency: row.currency ?? currencyOf(row.pay_method),
  rate: shortDecimal(row.rate),
  fabQty: shortDecimal(row.fab_qty),
  roundName: shownNameOf(round),
  baseRate: shortDecimal(row.base_rate ?? row.rate),
  baseQty: shortDecimal(baseQty),
  bonusPercent: shortDecimal(row.bonus_percent),
  deliveries: splitTokens(shortDecimal(row.fab_qty), (row.vesting as VestingPlan | null) ?? allAtOnce),
  expiresAt: row.expires_at.toISOString(),
})

export type CreateOrderBody = Parameters<Handler<typeof api.createOrder>>[0]['body']

const ordersPerHourMax = 20

/** Members order for themselves with a quote. Finance may also enter orders for other members, without a quote. */
export const createOrder: Handler<typeof api.createOrder> = ({ body }, context) => {
  const { caller, request } = context
  const { memberId, quoteId, txId, sharesTransaction, exceedsCap, reason } = body
  // A quote is for the caller's own order, and the remaining fields need finance rights.
  if ([quoteId, txId, sharesTransaction, exceedsCap, reason].some((given) => given !== undefined))
    caller.requirePerson()
  // Checked before a repeated request is answered, because the caller may have lost the right.
  if (memberId !== undefined && memberId !== caller.memberId) caller.requireStaff()
  return recordingRefusedClaims(context, null, () =>
    transaction(context.db, (db) =>
      idempotent(
        db,
        { memberId: caller.memberId, key: request.idempotencyKey, call: 'icotx/create', body },
        () =>
          caller.isStaff && quoteId === undefined
            ? enterOrder(db, body, context)
            : placeOrder(db, body, context),
      ),
    ),
  )
}

/**
 * Places the caller's own order. The member needs KYC approval and, while the sale is open, a quote; the server sets
 * owner, quantity, and status.
 */
async function placeOrder(db: Tx, body: CreateOrderBody, context: MemberContext): Promise<Order> {
  const { caller } = context
  const {
    memberId,
    fabQty: _fabQty,
    status: _status,
    quoteId,
    amount,
    txId,
    sharesTransaction,
    exceedsCap,
    reason,
    ...rest
  } = body
  const isForOther = memberId !== undefined && memberId !== caller.memberId
  if (isForOther || (await findKycStateOfMember(db, caller.memberId)) !== 'approved') {
    caller.requireStaff()
    throw new Refused('forbidden')
  }
  // Only finance can set these fields.
  for (const [path, given] of Object.entries({ txId, sharesTransaction, exceedsCap, reason }))
    if (given !== undefined) throw refusedField(path, 'unknown')
  const sale = await lockSaleForOrder(db, caller.memberId, quoteId)
  // Counted in the transaction of the order, so that rejected and repeated requests don't count.
  await requireWithinLimits(db, context.keys, [
    { key: `order ${caller.memberId}`, max: ordersPerHourMax, window: HOUR },
  ])
  const change: OrderChange = {
    ...defined(rest),
    ...(await checkedAddresses(db, rest)),
    ...decimals({ amount }),
    ...(quoteId === undefined ? {} : await fromQuote(db, caller.memberId, quoteId, body)),
  }
  // Read after the lock of the sale. The quote keeps its round, even if that has ended meanwhile.
  const round = sale && (await findRoundOf(db, { round_id: change.roundId ?? null }))
  if (round) await requireAdmitted(db, round, caller.memberId)
  if (sale) await requireRoom(db, { sale, round }, caller.memberId, change.fabQty)
  const method = change.payMethod === undefined ? undefined : await findPayMethod(db, change.payMethod)
  if (quoteId !== undefined) requireQuotedMethod(method, change)
  const placed = await insertOrder(
    db,
    caller.memberId,
    {
      ...change,
      ...(method?.is_open && { payChain: method.chain, receivingAddress: method.receiving_address }),
    },
    { payTime: context.config.orderPayTime },
  )
  const order = await withOwnAddress(db, context.config, placed)
  await promisePeriod(db, context.config, order)
  await notifyOwner(db, context, placedMail(order), { order })
  await auditOrder(db, caller.memberId, 'order-created', order.id)
  return presentOrder(order)
}

/**
 * Locks the sale until the order is stored, so that sale period, caps, and addresses don't change in between. Until the
 * sale is set up, orders need no quote.
 */
async function lockSaleForOrder(
  db: Tx,
  memberId: string,
  quoteId: string | undefined,
): Promise<SaleRow | undefined> {
  const sale = await lockSale(db)
  if (!sale) return undefined
  // A quote outlives its round, but not the sale.
  if (!(quoteId === undefined ? sale.is_selling : sale.is_within_period)) throw new Refused('sale_closed')
  await requireNoSelfPricing(db, memberId)
  if (quoteId === undefined) throw refusedField('quoteId', 'required')
  return sale
}

/**
 * Rejects a quote whose payment method has closed or changed its coin since then, because an amount of one coin must
 * not be requested at an address of another.
 */
function requireQuotedMethod(method: PayMethodRow | undefined, { currency }: OrderChange): void {
  if (!method?.is_open) throw new Refused('sale_closed')
  const [quoted, now] = [currency, method.currency].map((each) =>
    (each ?? currencyOf(method.code)).toLowerCase(),
  )
  if (quoted !== now) throw new Refused('quote_expired')
}

/** Returns the values of the quote. The body may repeat them but must not differ. */
async function fromQuote(
  db: Tx,
  memberId: string,
  quoteId: string,
  body: CreateOrderBody,
): Promise<OrderChange> {
  const quote = await consumeQuote(db, memberId, quoteId)
  if (body.payMethod !== undefined && body.payMethod !== quote.pay_method)
    throw refusedField('payMethod', 'mismatch')
  const isOtherAmount =
    body.amount !== undefined &&
    (body.amount === null || parseDecimal(numberText(body.amount)) !== parseDecimal(quote.amount))
  if (isOtherAmount) throw refusedField('amount', 'mismatch')
  return {
    payMethod: quote.pay_method,
    amount: quote.amount,
    currency: quote.currency,
    fabQty: quote.fab_qty,
    rate: quote.rate,
    baseRate: quote.base_rate,
    bonusPercent: quote.bonus_percent,
    roundId: quote.round_id,
    vesting: quote.vesting === null ? null : JSON.stringify(quote.vesting),
  }
}

const entriesPerHourMax = 300

/**
 * Enters an order that finance agreed on elsewhere, for another member and at an agreed price. An order that is still
 * to be paid must respect the limits of its payment method, unless a reason explains the exception. Every order must
 * respect the caps of the sale, unless finance confirms the excess. An order entered as completed needs a received
 * amount and a reason, and must not require a second approval.
 */
async function enterOrder(db: Tx, body: CreateOrderBody, context: MemberContext): Promise<Order> {
  const { caller, keys, config } = context
  const { memberId, fabQty, status, amount, quoteId: _, txId, reason = '', ...others } = body
  const { sharesTransaction: _shares, exceedsCap, ...rest } = others
  const { id: ownerId } = await requireOtherOwner(db, memberId, context)
  const state = readState(status)
  const given = { ...defined(rest), ...(await checkedAddresses(db, rest)), ...decimals({ amount, fabQty }) }
  if (txId) await lockTransactionKeys(db, [transactionKey(txId)])
  const sale = await lockSale(db)
  // A price editor can't get around the self-pricing restriction by having a colleague enter the order.
  if (sale && state !== 'cancelled') await requireNoSelfPricing(db, ownerId)
  const round = await findRoundToEnter(db)
  const roundId = round?.id ?? null
  const received = state === 'completed' ? await requireCompletedByOne(db, { ...body, roundId }, context) : {}
  await requireWithinLimits(db, keys, [
    { key: `enter order ${caller.memberId}`, max: entriesPerHourMax, window: HOUR },
  ])
  const unplaced = {
    member_id: ownerId,
    status: state,
    created_at: new Date(),
    fab_qty: null,
    round_id: roundId,
  }
  const excess = await requireConfirmedExcess(db, unplaced, given.fabQty, { exceedsCap, reason })
  const isExplained = reason !== ''
  const { waits, ...method } =
    state === 'pending' ? await payableWith(db, given, { sale, round, isExplained }) : closedWay
  if (state === 'pending' && !isExplained) await requireReasonOffRate(db, config, { ...given, roundId })
  const claim = await claimEntered(db, body, method.payChain, context)
  // Step-up authentication comes last, so that no one has to prove their identity for a request that fails anyway.
  if (state === 'completed') caller.requireStepUp()
  const entered = await insertOrder(
    db,
    ownerId,
    {
      ...given,
      ...method,
      ...claim,
      ...received,
      status: state,
      roundId,
      vesting: round ? JSON.stringify(vestingOf(round)) : null,
    },
    { payTime: state === 'pending' ? config.orderPayTime : undefined, waits },
  )
  const order = await withOwnAddress(db, config, entered)
  await promisePeriod(db, config, order)
  await recordEntry(db, order, { claim, reason }, context)
  await recordExceededCap(db, order, excess, context)
  await auditOrder(db, caller.memberId, 'order-created', order.id, {
    status: order.status,
    ...auditedChanges(describeEntry(order)),
  })
  return presentOrder(order)
}

async function requireOtherOwner(
  db: Tx,
  memberId: string | undefined,
  { caller }: MemberContext,
): Promise<MemberRow> {
  if (memberId === undefined || memberId === caller.memberId) throw new Refused('forbidden')
  const owner = await findMemberById(db, memberId)
  if (!owner || owner.erased_at) throw refusedField('memberId', 'unknown')
  return owner
}

async function claimEntered(
  db: Tx,
  { txId, payMethod = '', sharesTransaction, reason = '' }: CreateOrderBody,
  payChain: OrderChange['payChain'],
  { caller }: MemberContext,
) {
  if (!txId) return undefined
  // As with changing an order, officers can't assign their own payment to another order.
  if (await sharesWithOrderOf(db, caller.memberId, '', txId)) throw new Refused('forbidden')
  const unplaced = { id: null, pay_chain: payChain ?? null, pay_method: payMethod }
  return claimTransaction(db, unplaced, txId, { isConfirmed: sharesTransaction, reason })
}

/** Records the steps of the order's history, and emails the member unless it is entered as canceled. */
async function recordEntry(
  db: Tx,
  order: OrderRow,
  { claim, reason }: { claim: { txId: string; sharesTransaction: boolean } | undefined; reason: string },
  context: MemberContext,
): Promise<void> {
  const { status } = order
  const step = (kind: OrderStep['kind'], of: Partial<OrderStep>) =>
    insertOrderStep(db, order.id, { kind, by: context.caller.memberId, ...of })
  // The reason why one payment covers two orders may reveal the other member.
  const told = claim?.sharesTransaction ? '' : reason
  if (status === 'pending') await step('entered', { reason: told })
  if (claim?.sharesTransaction) await step('transaction_shared', { reason })
  if (status === 'completed') {
    await step('completed', {
      reason: told,
      txId: claim?.txId ?? '',
      changes: describeEntry(order).filter(({ field }) => field === 'paidAmount'),
      aloneQuantity: order.fab_qty ?? '0',
    })
    await notifyOwner(db, context, completedMail(order), { order })
  } else if (status === 'cancelled') await step('cancelled', { reason: told, txId: claim?.txId ?? '' })
  else if (claim) {
    await step('payment_reported', { txId: claim.txId })
    await notifyOwner(db, context, 'order-payment-reported', { order })
  } else await notifyOwner(db, context, placedMail(order), { order })
}

/**
 * Returns what was received for an order entered as completed. Rejects an order that needs two approvals: it must be
 * entered as pending.
 */
async function requireCompletedByOne(
  db: Tx,
  entered: CreateOrderBody & { roundId: string | null },
  context: MemberContext,
): Promise<Pick<OrderChange, 'paidAmount'>> {
  const {
    amount,
    fabQty,
    payMethod = '',
    roundId,
    fabAddress,
    ethAddress,
    btcAddress,
    txId,
    reason,
  } = entered
  const { caller, config } = context
  caller.requirePerson()
  const { fabQty: quantity = null, amount: received = null } = decimals({ fabQty, amount })
  const policy = await readOrderPolicy(db, config)
  if (takesTwo(policy, quantity)) throw refusedField('status', 'second_person')
  const missing: FieldRefusal[] = []
  if (received === null) missing.push({ path: 'amount', code: 'required' })
  if (!reason) missing.push({ path: 'reason', code: 'required' })
  if (received === null || missing.length > 0) throw new Refused('validation_failed', { fields: missing })
  const priced = { rate: null, payMethod, roundId, received, fabQty: quantity }
  const saleRates = await readSaleRates(db)
  const completing = {
    amount: received,
    fabQty: quantity,
    received,
    // Before there is a sale, nothing shows that the amount entered here is the price.
    coversPrice: saleRates !== null && coversPrice(config, saleRates, priced),
    isCovered: false,
    // As with a pending order, an officer must not decide alone where the tokens go.
    isChangedByOfficer: [fabAddress, ethAddress, btcAddress].some(Boolean),
  }
  if (await findSecondPersonCause(db, policy, completing, caller.memberId))
    throw refusedField('status', 'second_person')
  await requireNotReturned(db, null, txId)
  await recordFourEyes(db, context)
  return { paidAmount: received }
}

type Way = Pick<OrderChange, 'payChain' | 'receivingAddress' | 'currency'> & { waits: boolean }

const closedWay: Way = { waits: false }

/**
 * Returns how the order is paid while the sale is open. Before the sale is set up, there are no methods to choose from.
 * An order agreed on outside the sale doesn't wait for a receiving address, because it never gets one.
 */
async function payableWith(
  db: Tx,
  { payMethod, amount }: OrderChange,
  {
    sale,
    round,
    isExplained,
  }: { sale: SaleRow | undefined; round: RoundRow | undefined; isExplained: boolean },
): Promise<Way> {
  const offered = payMethod ? await findPayMethod(db, payMethod) : undefined
  const method = offered && effectiveMethod(offered, round)
  const waits = amount === undefined || amount === null || method !== undefined
  if (!payMethod || !sale?.is_open) return { waits }
  // Finance may agree on any payment method; a method of the sale uses its own address.
  if (!method?.is_open) return { waits }
  if (sale.is_selling && amount && !isExplained) requireWithinMethod(method, amount)
  return {
    waits,
    payChain: method.chain,
    receivingAddress: method.receiving_address,
    currency: method.currency,
  }
}

function readState(status: string | undefined): OrderState {
  const state = orderStates.find((known) => known === (status ?? 'pending').toLowerCase())
  if (!state) throw refusedField('status', 'one_of')
  return state
}

/** Uses the caller's quote for an order. A quote can be used once, until it expires. */
async function consumeQuote(db: Tx, memberId: string, id: string): Promise<QuoteRow> {
  const quote = await lockQuoteOfMember(db, memberId, id)
  if (!quote) throw new Refused('quote_unknown')
  if (quote.used_at) throw new Refused('quote_used')
  if (quote.is_expired) throw new Refused('quote_expired')
  await markQuoteUsed(db, id)
  return quote
}
