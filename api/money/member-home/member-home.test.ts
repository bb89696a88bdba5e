import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { MemberHome } from '#contract/money/member-home.ts'
import { anApplication, anOrder, aSale, aMember, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aConversation } from '#tests/conversations.ts'
import { aBuyer, anOrderOf, moveDeadline } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { aWithdrawalRow } from '#tests/withdrawals.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { insertMessage } from '../../people/conversations/conversation.queries.ts'
import { confirmTotpOfMember, insertTotp } from '../../people/sessions/second-factor.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services

async function homeOf({ token }: Pick<TestMember, 'token'>, of = started): Promise<MemberHome> {
  const answer = await of.call(api.readMemberHome, {}, { token })
  expect(answer.status).toBe(200)
  return answer.body
}
const stateOf = async (member: TestMember, of = started) =>
  (await homeOf(member, of)).openOrders.map(({ state }) => state)

test('a new member has completed only the email confirmation', async () => {
  await aSale(started, { isOpen: false })
  expect(await homeOf(await aMember(started))).toEqual({
    email: 'confirmed',
    hasSecondFactor: false,
    identity: { status: 'none', applicationId: null, isFinal: false, usualHours: null },
    sale: { isOpen: false, opensAt: null, closesAt: null },
    hasOrder: false,
    orderWithoutAddress: null,
    openOrders: [],
    openWithdrawals: [],
    unread: 0,
    displayRates: [],
  })
})

test('reports an unconfirmed email, and a refusing mailbox instead if there is one', async () => {
  const member = await aMember(started, { isElsewhere: true })
  expect((await homeOf(member)).email).toBe('unconfirmed')
  await db
    .insertInto('mailbox_refusal')
    .values({ member_id: member.id, address: member.email, error: '550', is_reported: false })
    .execute()
  expect((await homeOf(member)).email).toBe('refused')
})

test('a second factor counts once it is confirmed', async () => {
  const member = await aSignedInMember(started)
  await insertTotp(db, member.id, services.keys.seal('second factor', member.id, 'JBSWY3DPEHPK3PXP'))
  expect((await homeOf(member)).hasSecondFactor).toBe(false)
  await confirmTotpOfMember(db, member.id)
  expect((await homeOf(member)).hasSecondFactor).toBe(true)
})

test.each(['submitted', 'in_review', 'more_info', 'approved', 'rejected', 'expired', 'withdrawn'] as const)(
  'shows the status of the identity: %s',
  async (status) => {
    const member = await aSignedInMember(started)
    const { _id } = await anApplication(started, member, status)
    expect((await homeOf(member)).identity).toMatchObject({ status, applicationId: _id, isFinal: false })
  },
)

test('reports that a rejection is final', async () => {
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member, 'rejected')
  await db.updateTable('kyc_application').set({ is_final: true }).where('id', '=', _id).execute()
  expect((await homeOf(member)).identity).toMatchObject({ status: 'rejected', isFinal: true })
})

test('a sale without an open payment method is closed', async () => {
  const member = await aSignedInMember(started)
  await aSale(started)
  expect((await homeOf(member)).sale.isOpen).toBe(true)
  await aSale(started, { payMethods: [] })
  expect((await homeOf(member)).sale.isOpen).toBe(false)
  await aSale(started, { opensAt: '2036-01-01T00:00:00.000Z' })
  expect((await homeOf(member)).sale).toMatchObject({ isOpen: false, opensAt: '2036-01-01T00:00:00.000Z' })
  // The sale period is public only if staff have opened the sale.
  await aSale(started, { isOpen: false, opensAt: '2036-01-01T00:00:00.000Z' })
  expect((await homeOf(member)).sale).toEqual({ isOpen: false, opensAt: null, closesAt: null })
})

test('reports each state of an order, from its payment to its cancellation', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  expect(await homeOf(member)).toMatchObject({
    hasOrder: true,
    orderWithoutAddress: order._id,
    openOrders: [{ id: order._id, reference: order.reference, state: 'pay', payBefore: order.payBefore }],
  })
  await moveDeadline(started, order._id, -1)
  const [overdue] = (await homeOf(member)).openOrders
  expect(overdue).toMatchObject({ state: 'overdue', payBefore: null })
  await moveDeadline(started, order._id, 3600)
  await call(
    api.reportPayment,
    { params: { id: order._id }, body: { txId: 'ab'.repeat(32) } },
    { token: member.token },
  )
  expect(await stateOf(member)).toEqual(['verify'])
  await db.updateTable('token_order').set({ status: 'cancelled' }).where('id', '=', order._id).execute()
  expect(await homeOf(member)).toMatchObject({ hasOrder: false, orderWithoutAddress: null, openOrders: [] })
})

test('asks for no payment if an order can’t be paid yet, is disputed, or has a recorded payment', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabAddress: ownAddress })
  expect(await homeOf(member)).toMatchObject({ hasOrder: true, orderWithoutAddress: null })
  expect(await stateOf(member)).toEqual(['unpayable'])
  for (const change of [{ is_disputed: true }, { is_disputed: false, paid_at: new Date() }]) {
    await db.updateTable('token_order').set(change).where('id', '=', id).execute()
    expect(await stateOf(member)).toEqual(['verify'])
  }
})

test('reports the state of a payment on the chain: partial, dropped, confirming, and confirmed', async () => {
  const sale = await aWatchedSale()
  const { buyer, chain, order } = sale
  const states = () => stateOf(buyer, sale.started)
  const id = await order()
  expect(await states()).toEqual(['pay'])
  const part = await chain.pay({ [id]: '0.2' })
  await chain.look()
  expect(await states()).toEqual(['rest'])
  chain.drop(part)
  await chain.look()
  expect(await states()).toEqual(['dropped'])
  await chain.pay({ [id]: '0.5' })
  await chain.look()
  expect(await states()).toEqual(['confirm'])
  chain.mine(3)
  await chain.look()
  expect(await states()).toEqual(['verify'])
})

test('lists an open withdrawal, and whether its refund address is missing', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  await aWithdrawalRow(started, id)
  const home = await homeOf(member)
  expect(home.openWithdrawals).toMatchObject([{ orderId: id, isAccepted: false, isAddressMissing: true }])
  // Nothing is due, and no tokens will be sent.
  expect(home).toMatchObject({ openOrders: [], orderWithoutAddress: null })
  await db
    .updateTable('order_withdrawal')
    .set({ state: 'accepted', refund_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' })
    .where('order_id', '=', id)
    .execute()
  expect((await homeOf(member)).openWithdrawals).toMatchObject([
    { isAccepted: true, isAddressMissing: false },
  ])
  await db.updateTable('order_withdrawal').set({ state: 'refused' }).where('order_id', '=', id).execute()
  expect((await homeOf(member)).openWithdrawals).toEqual([])
})

test('counts only unread messages from staff, and returns nothing about other members', async () => {
  const member = await aSignedInMember(started)
  const { id } = await aConversation(started, member)
  expect((await homeOf(member)).unread).toBe(0)
  for (const author of ['staff', 'staff', 'note'] as const)
    await insertMessage(db, { conversation_id: id, author, author_id: null, text: 'In two days.' })
  expect((await homeOf(member)).unread).toBe(2)
  expect(await homeOf(await aSignedInMember(started))).toMatchObject({ unread: 0, openOrders: [] })
})
