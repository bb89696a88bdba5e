import * as z from 'zod/mini'
import { endpoint, selfOrStaff, staff } from './endpoint.ts'
import { email, id, line, page, time } from './fields.ts'

export const addressLengthMax = 128
export const orderStates = ['pending', 'completed', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]

/** A token order, `icotx` on the wire. `fabQty` is null until it is known. */
export const order = z.object({
  _id: id,
  memberId: id,
  email: z.string(),
  ethAddress: z.string(),
  btcAddress: z.string(),
  fabAddress: z.string(),
  payMethod: z.string(),
  amount: z.nullable(z.number()),
  fabQty: z.nullable(z.number()),
  status: z.enum(orderStates),
  createdAt: time,
  updatedAt: time,
})
export type Order = z.infer<typeof order>

export const chainAddress = line(addressLengthMax)
/** A decimal as a JSON number or as text; at most 20 digits before and 18 after the point. */
export const amount = z.union(
  [z.number().check(z.gte(0), z.lt(1e20)), z.string().check(z.regex(/^\d{1,20}(\.\d{1,18})?$/, 'number'))],
  'number',
)

const orderFields = {
  email: z.optional(email),
  ethAddress: z.optional(chainAddress),
  btcAddress: z.optional(chainAddress),
  fabAddress: z.optional(chainAddress),
  payMethod: z.optional(line(40)),
  amount: z.optional(z.nullable(amount)),
}

/** `memberId`, `fabQty` and `status` are read from staff only; for a member they are the server's. */
export const createOrder = endpoint('POST', 'icotx/create', {
  about: 'Place an order: a member with an approved identity for themselves, finance for anybody.',
  access: selfOrStaff('finance', 2),
  status: 201,
  body: z.strictObject({
    ...orderFields,
    memberId: z.optional(id),
    fabQty: z.optional(z.nullable(amount)),
    status: z.optional(line(40)),
  }),
  output: order,
  errors: ['not_found'],
})

export const getOrder = endpoint('GET', 'icotx/:id', {
  about: 'One order.',
  access: selfOrStaff('finance', 1),
  params: z.strictObject({ id }),
  output: order,
  errors: ['not_found'],
})

export const listOrders = endpoint('GET', 'icotx/', {
  about: 'All orders, newest first.',
  access: staff('finance', 1),
  query: page,
  output: z.array(order),
})

export const findOrders = endpoint('POST', 'icotx/find', {
  about: 'Orders that match every field given. A member gets their own rows only.',
  access: selfOrStaff('finance', 1),
  query: page,
  body: z.strictObject({
    memberId: z.optional(id),
    email: z.optional(email),
    ethAddress: z.optional(chainAddress),
    btcAddress: z.optional(chainAddress),
    fabAddress: z.optional(chainAddress),
  }),
  output: z.array(order),
})

export const updateOrder = endpoint('POST', 'icotx/update', {
  about: 'Change an order and its status.',
  access: staff('finance', 2),
  body: z.strictObject({
    _id: id,
    ...orderFields,
    memberId: z.optional(id),
    fabQty: z.optional(z.nullable(amount)),
    status: z.optional(z.enum(orderStates, 'one_of')),
    createdAt: z.optional(time),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict'],
})
