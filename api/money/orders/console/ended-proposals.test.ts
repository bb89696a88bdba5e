import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder } from '#tests/statements.ts'

/* A proposal that ended is no approval, neither in the history of the order nor in the accounting file. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, mailsTo, send, services } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [author, colleague, third] = [await anOfficer(), await anOfficer(), await anOfficer()]
const reason = 'Agreed.'

const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const complete = (by: TestMember, id: string) => update(by, id, { status: 'completed', reason })
const detail = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: colleague.token })).body

/** An order that its author can only propose to complete, because the author corrected it. */
async function aProposedOrder() {
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member, { paidAmount: '100' })
  await services.db
    .updateTable('token_order')
    .set({ receiving_address: 'DE99', pay_before: sql<Date>`now() + interval '1 day'` })
    .where('id', '=', id)
    .execute()
  await update(author, id, { amount: '101', reason })
  expect((await complete(author, id)).body.status).toBe('pending')
  return { id, reference, member }
}
async function accountOf(reference: string) {
  const headers = { 'x-app-id': defaultAppId, 'x-access-token': colleague.token }
  const { body } = await send({ method: 'GET', url: '/v2/admin/orders/accounting', headers })
  return body.split('\n').find((line) => line.startsWith(reference))
}

test('the accounting file names who proposed a completion that a colleague approved', async () => {
  const { id, reference } = await aProposedOrder()
  expect((await complete(colleague, id)).body.status).toBe('completed')
  expect((await detail(id)).steps.map(({ kind }) => kind)).not.toContain('completion_lapsed')
  expect(await accountOf(reference)).toContain(`${colleague.email},${author.email},`)
})

test.each([
  [
    'the member reported the transaction',
    async (id: string, { token }: TestMember) => {
      const body = { txId: `Transfer for ${id}` }
      expect((await call(api.reportPayment, { params: { id }, body }, { token })).status).toBe(200)
    },
  ],
  [
    'it expired',
    async (id: string) => {
      await sql`update token_order set completion_proposed_at = now() - interval '4 days' where id = ${id}`.execute(
        services.db,
      )
    },
  ],
  [
    'the chain showed another payment',
    async (id: string) => {
      const seen = { order_id: id, coin: 'EUR', state: 'too_little', received: '1' } as const
      await services.db.insertInto('chain_payment').values(seen).execute()
    },
  ],
])('a proposal that ended because %s is not named as an approval', async (_, end) => {
  const { id, reference, member } = await aProposedOrder()
  await end(id, member)
  expect((await detail(id)).proposal).toMatchObject({ counts: false })
  expect((await complete(colleague, id)).body.status).toBe('completed')
  expect((await detail(id)).steps.slice(-3).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['completion_lapsed', 'completed']),
  )
  expect((await mailsTo(author.email)).at(-1)?.kind).toBe('staff-order-lapsed')
  expect(await accountOf(reference)).not.toContain(author.email)
})

test('the email to the second approver also fits a proposed correction', async () => {
  const { id } = await aBankOrder(started, await aSignedInMember(started), { paidAmount: '100' })
  await complete(colleague, id)
  await update(author, id, { fabQty: '6', confirmsQuantity: true, reason })
  expect((await mailsTo(third.email)).at(-1)?.text).toMatch(
    /A colleague proposed completing or correcting\s+order/,
  )
})
