import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import type { OrderStepKind } from '#contract/orders.ts'
import { anApplication, aSale, aSignedInMember, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

/** A member who may order, and orders of theirs in an open sale. */
export async function aBuyer(started: TestApi): Promise<TestMember> {
  await aSale(started)
  const member = await aSignedInMember(started)
  await anApplication(started, member, 'approved')
  return member
}

export async function anOrderOf(started: TestApi, member: TestMember, payMethod = 'BTC', amount = '0.5') {
  const by = { token: member.token }
  const quote = await started.call(api.createQuote, { body: { payMethod, amount } }, by)
  const order = await started.call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, by)
  if (order.status !== 201) throw new Error(`icotx/create answered ${order.status} ${order.problem.code}`)
  return order.body
}

/** As if the time had passed. */
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

/** The kinds of mails about orders that the member got, in their order. */
export const orderMailsTo = async (started: TestApi, { email }: TestMember): Promise<string[]> =>
  (await started.mailsTo(email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('order-'))
