import type * as z from 'zod/mini'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import type { OrderStepKind } from '#contract/money/orders.ts'
import { aSale, aSignedInMember, proveIdentity, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

/** A member who can place orders, and their orders in an open sale. */
export async function aBuyer(started: TestApi): Promise<TestMember> {
  await aSale(started)
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}

export async function anOrderOf(started: TestApi, member: TestMember, payMethod = 'BTC', amount = '0.5') {
  const by = { token: member.token }
  const quote = await started.call(api.createQuote, { body: { payMethod, amount } }, by)
  const order = await started.call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, by)
  if (order.status !== 201) throw new Error(`icotx/create answered ${order.status} ${order.problem.code}`)
  return order.body
}

/** Moves the deadline as if the time had passed. */
export async function moveDeadline({ services }: TestApi, orderId: string, seconds: number): Promise<void> {
  await services.db
    .updateTable('token_order')
    .set({ pay_before: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('id', '=', orderId)
    .execute()
}

export async function stepsOf(started: TestApi, by: TestMember, id: string): Promise<OrderStepKind[]> {
  const { body } = await started.call(api.getOrderPayment, { params: { id } }, { token: by.token })
  return body.steps.map(({ kind }) => kind)
}

/** Returns the types of the order emails that the member received, in order. */
export const orderMailsTo = async (started: TestApi, { email }: TestMember): Promise<string[]> =>
  (await started.mailsTo(email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('order-'))

/** Records the amount due as received, so that the order can be completed. Nothing else about it changes. */
export async function recordDue({ services }: TestApi, orderId: string): Promise<void> {
  await services.db
    .updateTable('token_order')
    .set({ paid_amount: sql<string>`coalesce(amount, 1)` })
    .where('id', '=', orderId)
    .where('paid_amount', 'is', null)
    .execute()
}

type Update = z.input<typeof api.updateOrder.body>

/** Updates an order like finance. Before completion, the amount due is recorded as received. */
export async function updatePaid(started: TestApi, body: Update, { token }: { token: string }) {
  if (body.status === 'completed' && body.paidAmount === undefined) await recordDue(started, body._id)
  return started.call(api.updateOrder, { body }, { token })
}

/** Completes an order without a received payment, with a reason. It counts as unpaid until it is completed. */
export const asGift = { status: 'completed', paidAmount: '0', reason: 'A gift.' } as const
