import brand from '#content/brand.json' with { type: 'json' }
import type { api } from '#contract/api.ts'
import { checkAddress, type AddressChain } from '#contract/chain-address.ts'
import { parseDecimal } from '#contract/decimal.ts'
import { orderStates, type Order, type OrderState } from '#contract/orders.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { idempotent } from '../idempotency/idempotent.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { findMemberById } from '../members/member.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { findPayMethod, findSale } from '../sale/sale.queries.ts'
import { auditOrder } from './audit-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { takeQuote } from './create-quote.ts'
import { insertOrder, insertOrderStep, type OrderChange } from './order.queries.ts'
import { decimals, defined, numberText } from './order-fields.ts'
import { presentOrder } from './present-order.ts'

type Body = Parameters<Handler<typeof api.createOrder>>[0]['body']

/** Members order for themselves; without a quote, finance may enter orders of anybody. */
export const createOrder: Handler<typeof api.createOrder> = ({ body }, context) => {
  const { caller, request } = context
  return transaction(context.db, (db) =>
    idempotent(
      db,
      { memberId: caller.memberId, key: request.idempotencyKey, call: 'icotx/create', body },
      () =>
        caller.isStaff && body.quoteId === undefined
          ? enterOrder(db, body, context)
          : placeOrder(db, body, context),
    ),
  )
}

/** Finance enters what was agreed elsewhere, unchanged: only the owner and the state are checked. */
async function enterOrder(db: Tx, body: Body, context: MemberContext): Promise<Order> {
  const { memberId, fabQty, status, amount, quoteId: _, ...rest } = body
  const ownerId = memberId ?? context.caller.memberId
  const owner = await findMemberById(db, ownerId)
  if (!owner || owner.erased_at) throw refusedField('memberId', 'unknown')
  const state = readState(status)
  const order = await insertOrder(db, ownerId, {
    ...defined(rest),
    ...decimals({ amount, fabQty }),
    status: state,
  })
  if (state === 'pending') await notifyOwner(db, context, order, 'order-placed')
  else await insertOrderStep(db, order.id, state, context.caller.memberId)
  await auditOrder(db, context.caller.memberId, 'order-created', order.id)
  return presentOrder(order)
}

/** A member needs an approved identity; the server sets owner, quantity and status. */
async function placeOrder(db: Tx, body: Body, context: MemberContext): Promise<Order> {
  const { caller } = context
  const { memberId, fabQty: _fabQty, status: _status, quoteId, amount, ...rest } = body
  const isForOther = memberId !== undefined && memberId !== caller.memberId
  if (isForOther || (await findKycStateOfMember(db, caller.memberId)) !== 'approved') {
    caller.requireStaff()
    throw new Refused('forbidden')
  }
  // Until the sale is set up, orders are accepted without quotes.
  const sale = await findSale(db)
  if (sale && !sale.is_open) throw new Refused('sale_closed')
  const change: OrderChange = {
    ...defined(rest),
    ...checkedAddresses(rest),
    ...decimals({ amount }),
    ...(quoteId === undefined ? {} : await fromQuote(db, caller.memberId, quoteId, body)),
  }
  const method = change.payMethod === undefined ? undefined : await findPayMethod(db, change.payMethod)
  if (quoteId !== undefined && !method?.is_open) throw new Refused('sale_closed')
  const order = await insertOrder(db, caller.memberId, {
    ...change,
    ...(method?.is_open && { payChain: method.chain, receivingAddress: method.receiving_address }),
  })
  await notifyOwner(db, context, order, 'order-placed')
  await auditOrder(db, caller.memberId, 'order-created', order.id)
  return presentOrder(order)
}

/** The values of the quote; the body may repeat them but not differ. */
async function fromQuote(db: Tx, memberId: string, quoteId: string, body: Body): Promise<OrderChange> {
  const quote = await takeQuote(db, memberId, quoteId)
  if (body.payMethod !== undefined && body.payMethod !== quote.pay_method)
    throw refusedField('payMethod', 'mismatch')
  const isOtherAmount =
    body.amount !== undefined &&
    (body.amount === null || parseDecimal(numberText(body.amount)) !== parseDecimal(quote.amount))
  if (isOtherAmount) throw refusedField('amount', 'mismatch')
  return { payMethod: quote.pay_method, amount: quote.amount, fabQty: quote.fab_qty, rate: quote.rate }
}

const addressFields = {
  ethAddress: 'ethereum',
  btcAddress: 'bitcoin',
  fabAddress: 'token',
} as const satisfies Record<string, AddressChain>

/** Addresses of members in the canonical form of their chains. Orders entered by finance are history and stay unchanged. */
function checkedAddresses(given: { [Name in keyof typeof addressFields]?: string | undefined }): OrderChange {
  const checked: OrderChange = {}
  for (const name of Object.keys(addressFields) as (keyof typeof addressFields)[]) {
    const text = given[name]
    if (!text) continue
    const result = checkAddress(addressFields[name], text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    checked[name] = result.address
  }
  return checked
}

function readState(status: string | undefined): OrderState {
  const state = orderStates.find((known) => known === (status ?? 'pending').toLowerCase())
  if (!state) throw refusedField('status', 'one_of')
  return state
}
