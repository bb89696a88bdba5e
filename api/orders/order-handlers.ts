import type { api } from '#contract/api.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { auditOrder } from './audit-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { decimals, defined, isSameNumber } from './order-fields.ts'
import {
  findOrder,
  insertOrderStep,
  listAnyOrders,
  listOrdersOfMember,
  lockOrder,
  updateOrderRow,
  type OrderChange,
  type OrderRow,
} from './order.queries.ts'
import { canBecome } from './order.rules.ts'
import { presentOrder } from './present-order.ts'

export const getOrder: Handler<typeof api.getOrder> = async ({ params }, { db, caller }) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  return presentOrder(order)
}

export const listOrders: Handler<typeof api.listOrders> = async ({ query }, { db, answer }) => {
  const page = await listAnyOrders(db, {}, query)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const findOrders: Handler<typeof api.findOrders> = async ({ body, query }, { db, caller, answer }) => {
  if (body.memberId !== undefined && body.memberId !== caller.memberId) caller.requireStaff()
  const filter = defined(body)
  const page = caller.isStaff
    ? await listAnyOrders(db, filter, query)
    : await listOrdersOfMember(db, caller.memberId, filter, query)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const updateOrder: Handler<typeof api.updateOrder> = async ({ body }, context) => {
  const { caller } = context
  caller.requireStepUp()
  return transaction(context.db, async (db) => {
    const stored = await lockOrder(db, body._id)
    if (!stored) throw new Refused('not_found')
    if (body.memberId !== undefined && body.memberId !== stored.member_id)
      throw refusedField('memberId', 'mismatch')
    if (body.status !== undefined && !canBecome(stored.status, body.status)) throw new Refused('conflict')
    const change = changeOf(body, stored)
    const order = await updateOrderRow(db, stored.id, change)
    if (!order) throw new Refused('not_found')
    if (order.status !== stored.status && order.status !== 'pending') {
      await insertOrderStep(db, order.id, order.status, caller.memberId)
      await notifyOwner(
        db,
        context,
        order,
        order.status === 'completed' ? 'order-completed' : 'order-cancelled',
      )
    }
    await auditOrder(db, caller.memberId, 'order-updated', order.id, {
      status: order.status,
      fields: Object.keys(change).toSorted(),
    })
    return presentOrder(order)
  })
}

type Body = Parameters<Handler<typeof api.updateOrder>>[0]['body']

/**
 * What finance may change. Reference, rate and transaction of a record sent back are ignored. Another pay method clears
 * the receiving address, so that nobody is shown where to send the wrong coin.
 */
function changeOf(body: Body, stored: OrderRow): OrderChange {
  const { memberId, email, ethAddress, btcAddress, fabAddress, payMethod, status } = body
  const isOtherMethod = payMethod !== undefined && payMethod !== stored.pay_method
  return {
    ...defined({ memberId, email, ethAddress, btcAddress, fabAddress, payMethod, status }),
    ...decimals({
      amount: isSameNumber(body.amount, stored.amount) ? undefined : body.amount,
      fabQty: isSameNumber(body.fabQty, stored.fab_qty) ? undefined : body.fabQty,
    }),
    ...(isOtherMethod && { receivingAddress: '', payChain: null }),
  }
}
