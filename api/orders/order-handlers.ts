import type { api } from '#contract/api.ts'
import { orderStates, type OrderState } from '#contract/orders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { findMemberById } from '../members/member.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { findOrder, insertOrder, listAnyOrders, listOrdersOfMember, updateOrderRow } from './order.queries.ts'
import { canBecome } from './order.rules.ts'
import { presentOrder } from './present-order.ts'

/** For themselves a member needs an approved identity, and the server decides owner, quantity and status. */
export const createOrder: Handler<typeof api.createOrder> = async ({ body }, { db, caller }) => {
  const { memberId, fabQty, status, amount, ...rest } = body
  return transaction(db, async (db) => {
    if (caller.isStaff) {
      const ownerId = memberId ?? caller.memberId
      const owner = await findMemberById(db, ownerId)
      if (!owner || owner.erased_at) throw refusedField('memberId', 'unknown')
      const order = await insertOrder(db, ownerId, {
        ...defined(rest),
        ...decimals({ amount, fabQty }),
        status: readState(status),
      })
      await audit(db, caller.memberId, 'order-created', order.id)
      return presentOrder(order)
    }
    const isForOther = memberId !== undefined && memberId !== caller.memberId
    if (isForOther || (await findKycStateOfMember(db, caller.memberId)) !== 'approved')
      return caller.demandStaff() as never
    const order = await insertOrder(db, caller.memberId, { ...defined(rest), ...decimals({ amount }) })
    await audit(db, caller.memberId, 'order-created', order.id)
    return presentOrder(order)
  })
}

export const getOrder: Handler<typeof api.getOrder> = async ({ params }, { db, caller }) => {
  const order = await findOrder(db, params.id)
  if (order?.member_id !== caller.memberId) caller.demandStaff()
  if (!order) throw new Refused('not_found')
  return presentOrder(order)
}

export const listOrders: Handler<typeof api.listOrders> = async ({ query }, { db, answer }) => {
  const page = await listAnyOrders(db, {}, query.limit, query.after)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const findOrders: Handler<typeof api.findOrders> = async ({ body, query }, { db, caller, answer }) => {
  if (body.memberId !== undefined && body.memberId !== caller.memberId) caller.demandStaff()
  const filter = defined(body)
  const page = caller.isStaff
    ? await listAnyOrders(db, filter, query.limit, query.after)
    : await listOrdersOfMember(db, caller.memberId, filter, query.limit, query.after)
  answer.setNext(page.next)
  return page.rows.map(presentOrder)
}

export const updateOrder: Handler<typeof api.updateOrder> = async ({ body }, { db, caller }) => {
  const { _id, amount, fabQty, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = body
  return transaction(db, async (db) => {
    const stored = await db
      .selectFrom('token_order')
      .selectAll()
      .where('id', '=', _id)
      .forUpdate()
      .executeTakeFirst()
    if (!stored) throw new Refused('not_found')
    if (rest.memberId !== undefined && rest.memberId !== stored.member_id)
      throw refusedField('memberId', 'mismatch')
    if (rest.status !== undefined && !canBecome(stored.status, rest.status)) throw new Refused('conflict')
    const change = { ...defined(rest), ...decimals({ amount, fabQty }) }
    const order = await updateOrderRow(db, _id, change)
    if (!order) throw new Refused('not_found')
    await audit(db, caller.memberId, 'order-updated', order.id, {
      status: order.status,
      fields: Object.keys(change).toSorted(),
    })
    return presentOrder(order)
  })
}

const audit = (
  db: Parameters<typeof recordAudit>[0],
  actorId: string,
  action: string,
  id: string,
  detail: { status?: string; fields?: string[] } = {},
) => recordAudit(db, { actorId, action, subjectKind: 'order', subjectId: id, detail })

function readState(status: string | undefined): OrderState {
  const state = orderStates.find((known) => known === (status ?? 'pending').toLowerCase())
  if (!state) throw refusedField('status', 'one_of')
  return state
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

/** Decimals go to the database as text: they are never computed with as floating point. */
function decimals(
  fields:
    | Record<'amount' | 'fabQty', number | string | null | undefined>
    | { amount: number | string | null | undefined },
) {
  const text = (value: number | string | null) => (typeof value === 'number' ? plain(value) : value)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])),
  )
}

/** 1e-7 as 0.0000001: PostgreSQL reads either, the limit of 18 digits is then its own. */
const plain = (value: number): string => (/e/.test(String(value)) ? value.toFixed(18) : String(value))
