import type { api } from '#contract/api.ts'
import { parseDecimal } from '#contract/decimal.ts'
import { HOUR } from '#contract/durations.ts'
import { currencyOf, type Order } from '#contract/orders.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { idempotent } from '../idempotency/idempotent.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireRoom } from '../sale/caps.ts'
import { requireNoSelfPricing } from '../sale/self-pricing.ts'
import { findPayMethod, lockSale, type PayMethodRow, type SaleRow } from '../sale/sale.queries.ts'
import { auditOrder } from './audit-order.ts'
import { checkedAddresses } from './checked-addresses.ts'
import { recordingRefusedClaims } from './claim-transaction.ts'
import { consumeQuote } from './create-quote.ts'
import { enterOrder } from './enter-order.ts'
import { notifyOwner, placedMail } from './notify-owner.ts'
import { withOwnAddress } from './own-address.ts'
import { insertOrder, type OrderChange } from './order.queries.ts'
import { decimals, defined, numberText } from './order-fields.ts'
import { presentOrder } from './present-order.ts'
import { promisePeriod } from './withdrawals/promised-period.ts'

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
  if (sale) await requireRoom(db, sale, caller.memberId, change.fabQty)
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
  if (!sale.is_selling) throw new Refused('sale_closed')
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
  }
}
