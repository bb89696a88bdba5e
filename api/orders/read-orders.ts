import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'
import { defined } from './order-fields.ts'
import { findOrder, listAnyOrders, listOrdersOfMember } from './order.queries.ts'
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
