import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, aSale, saleSettings, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline } from '#tests/orders.ts'
import { letOrderAge } from '#tests/withdrawals.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { enforceDeadlines } from './deadline-worker.ts'

/* Prices and addresses that an order keeps only for as long as it was promised. */

const as = ({ token }: TestMember) => ({ token })
const ether = '0x52908400098527886E0F7030069857D2E4169EE7'
void ether

async function aWorld() {
  const world = await aWatchedSale({ CHAIN_COMPLETE: 'exact', ORDER_TWO_PERSONS_FROM: '100000' })
  const officer = await aSignedInMember(world.started, { manage_finance: 2 })
  const colleague = await aSignedInMember(world.started, { manage_finance: 2 })
  return { ...world, officer, colleague }
}

test('a deadline that one officer extended for months does not let the program sell at the old price', async () => {
  const { started, chain, order, detail, officer, paymentOf } = await aWorld()
  const id = await order()
  const payBefore = new Date(Date.now() + 60 * DAY).toISOString()
  const extended = await started.call(
    api.extendOrderDeadline,
    { params: { id }, body: { payBefore, reason: 'Holidays.' } },
    as(officer),
  )
  expect(extended.status).toBe(200)
  // 59 days later, tokens cost three times as much.
  await letOrderAge(started, id, 59 * DAY)
  await moveDeadline(started, id, 3600)
  const [bitcoin] = saleSettings().payMethods
  await aSale(started, { payMethods: [{ ...bitcoin!, rate: '40000' }] })
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  expect((await paymentOf(id)).state).toBe('paid')
  expect((await detail(id)).order.status).toBe('pending')
})

test('a date of receipt without an amount, set by one officer without a reason, does not hold a price', async () => {
  const { started, order, officer, detail, chain, paymentOf } = await aWorld()
  const id = await order()
  const set = await started.call(
    api.updateOrder,
    { body: { _id: id, paidAt: new Date().toISOString() } },
    as(officer),
  )
  expect(set.status).toBe(200)
  await letOrderAge(started, id, 59 * DAY)
  await moveDeadline(started, id, -58 * 24 * 3600)
  await enforceDeadlines(started.services)
  const held = (await detail(id)).order.status
  await started.call(
    api.updateOrder,
    { body: { _id: id, paidAt: null, reason: 'A typing error.' } },
    as(officer),
  )
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  // The order waits, but the program doesn't sell at its old price.
  expect({ held, state: (await paymentOf(id)).state, status: (await detail(id)).order.status }).toEqual({
    held: 'pending',
    state: 'paid',
    status: 'pending',
  })
})

test('a payment to an address that an order had is not assigned to another member’s order', async () => {
  const { started, buyer, order, officer, colleague } = await aWorld()
  const paid = await order()
  const { receiving_address: address } = await started.services.db
    .selectFrom('token_order')
    .select('receiving_address')
    .where('id', '=', paid)
    .executeTakeFirstOrThrow()
  const friend = await aBuyer(started)
  const other = await anOrderOf(started, friend, 'BTC', '0.5')
  const mapping = {
    columns: { date: 0, currency: 1, amount: 2, address: 3, txId: 4 },
    numbers: 'plain',
    dates: 'iso',
  } as const
  const now = new Date(Date.now() + 1000).toISOString().slice(0, 10)
  const bring = async (txId: string) => {
    const text = `Time,Coin,Deposit,To,TxHash\n${now},BTC,0.5,${address},${txId}\n`
    const body = { file: Buffer.from(text).toString('base64'), mapping, seen: [] }
    await started.call(api.importOrderPayments, { body }, as(colleague))
    const { body: lines } = await started.call(
      api.listStatementLines,
      { query: { limit: 100 } },
      as(colleague),
    )
    return lines.find((line) => line.txId === txId)!
  }
  const assign = (id: string) =>
    started.call(
      api.assignStatementLine,
      { params: { id }, body: { reference: other.reference, reason: 'The sender is the member.' } },
      as(officer),
    )
  const control = await bring('a'.repeat(63) + '1')
  expect((await assign(control.id)).problem.errors).toMatchObject([{ code: 'names_other_order' }])
  const changed = await started.call(
    api.updateOrder,
    { body: { _id: paid, payMethod: 'ETH', confirmsQuantity: true, reason: 'The member asked.' } },
    as(officer),
  )
  expect(changed.status).toBe(200)
  void buyer
  const line = await bring('a'.repeat(63) + '2')
  const answer = await assign(line.id)
  expect([answer.status, answer.problem.errors]).toMatchObject([400, [{ code: 'names_other_order' }]])
})

test('an address that an order had is refused as an address of a member', async () => {
  const { started, order, officer, buyer } = await aWorld()
  const id = await order()
  const { receiving_address: address } = await started.services.db
    .selectFrom('token_order')
    .select('receiving_address')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await started.call(
    api.updateOrder,
    { body: { _id: id, payMethod: 'ETH', confirmsQuantity: true, reason: 'The member asked.' } },
    as(officer),
  )
  const another = await order()
  const set = await started.call(
    api.updateOrder,
    { body: { _id: another, btcAddress: address, reason: 'The member asked.' } },
    as(officer),
  )
  void buyer
  expect(set.problem.errors).toMatchObject([{ path: 'btcAddress', code: 'our_address' }])
})

test('a proposal to complete an unpaid order does not hold its price for later payment through the program', async () => {
  const { started, chain, order, detail, officer, colleague, paymentOf } = await aWorld()
  const id = await order('0.5')
  const gift = { _id: id, status: 'completed', paidAmount: '0', reason: 'A gift.' } as const
  expect((await started.call(api.updateOrder, { body: gift }, as(officer))).body.status).toBe('pending')
  await letOrderAge(started, id, 3 * DAY)
  await moveDeadline(started, id, -2 * 24 * 3600)
  await enforceDeadlines(started.services)
  expect((await detail(id)).order.status).toBe('pending')
  const declined = await started.call(
    api.declineOrderCompletion,
    { params: { id }, body: { reason: 'No.' } },
    as(colleague),
  )
  expect(declined.status).toBe(200)
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  expect({ state: (await paymentOf(id)).state, status: (await detail(id)).order.status }).not.toEqual({
    state: 'paid',
    status: 'completed',
  })
})
void sql
