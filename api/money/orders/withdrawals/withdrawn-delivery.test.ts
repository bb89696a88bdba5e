import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* The tokens of an order that is being withdrawn or was refunded must not be sent anymore. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' }, afterAll)
const { call, services, mailsTo } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const paidOn = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })
const officer = await aSignedInMember(started, { manage_finance: 2 })

type Asked = { member: TestMember; orderId: string; id: string }

async function aWithdrawal(status: 'pending' | 'completed'): Promise<Asked> {
  const member = await aSignedInMember(started)
  const { id: orderId } = await anOrder(started, member.id, { fabAddress: '', paidAmount: '1.5' })
  if (status === 'completed') {
    const body = { _id: orderId, status, paidAmount: '1.5', reason: 'Seen.' }
    expect((await call(api.updateOrder, { body }, as(officer))).body.status).toBe('completed')
  }
  const asked = { params: { id: orderId }, body: { refundAddress } }
  const { body } = await call(api.requestWithdrawal, asked, as(member))
  return { member, orderId, id: body.id }
}

const accept = async ({ id }: Asked) => {
  const { body } = await call(api.acceptWithdrawal, { params: { id }, body: {} }, as(officer))
  expect(body.state).toBe('accepted')
}
const refund = async (asked: Asked) => {
  await accept(asked)
  const body = { amount: '1.5', txId: `0x${'ab'.repeat(32)}`, paidOn, reason: 'Sent back.' }
  const sent = await call(api.recordRefund, { params: { id: asked.id }, body }, as(officer))
  expect([sent.body.state, sent.problem?.code]).toEqual(['refunded', undefined])
}
const refuse = async ({ id }: Asked) => {
  const refused = { params: { id }, body: { reason: 'The tokens were sent.' } }
  expect((await call(api.refuseWithdrawal, refused, as(officer))).body.state).toBe('refused')
}
const give = ({ member, orderId }: Asked) =>
  call(api.setTokenAddress, { params: { id: orderId }, body: { fabAddress: ownAddress } }, as(member))
const payment = async ({ member, orderId }: Asked) =>
  (await call(api.getOrderPayment, { params: { id: orderId } }, as(member))).body

const withdrawn: ['pending' | 'completed', string, (asked: Asked) => Promise<void>][] = [
  ['pending', 'requested', async () => {}],
  ['completed', 'requested', async () => {}],
  ['completed', 'accepted', accept],
  ['completed', 'refunded', refund],
]

test.each(withdrawn)(
  'a %s order whose withdrawal is %s takes no token address, and nothing about the delivery is announced',
  async (status, _, reach) => {
    const asked = await aWithdrawal(status)
    await reach(asked)
    const told = (await mailsTo(asked.member.email)).length
    expect((await give(asked)).problem.code).toBe('conflict')
    expect(await mailsTo(asked.member.email)).toHaveLength(told)
    const { fab_address: stored } = await services.db
      .selectFrom('token_order')
      .select('fab_address')
      .where('id', '=', asked.orderId)
      .executeTakeFirstOrThrow()
    expect(stored).toBe('')
    expect((await payment(asked)).isBeingWithdrawn).toBe(true)
  },
)

test('an order takes a token address again after its withdrawal was declined', async () => {
  const asked = await aWithdrawal('completed')
  await refuse(asked)
  expect((await payment(asked)).isBeingWithdrawn).toBe(false)
  expect((await give(asked)).body).toMatchObject({ status: 'completed', fabAddress: ownAddress })
})
