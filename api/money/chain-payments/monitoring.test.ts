import { expect, test } from 'vitest'
import { HOUR } from '#contract/platform/durations.ts'
import { moveDeadline, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { aWatchedSale, listFlagged } from '#tests/watched-sale.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'

test('a payment is seen, confirmed, and paid; it is named, and finance finds it ready', async () => {
  const { started, buyer, officer, chain, paymentOf, order, detail, actions } = await aWatchedSale()
  const id = await order()
  await chain.look()
  expect((await paymentOf(id)).state).toBe('awaited')
  const txId = await chain.pay({ [id]: '0.5' })
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({
    state: 'seen',
    received: '0.5',
    confirmations: 0,
    isStale: false,
    transactions: [{ id: txId, amount: '0.5', state: 'pool', height: null }],
  })
  expect(await stepsOf(started, buyer, id)).toEqual(['placed', 'payment_reported'])
  expect(await orderMailsTo(started, buyer)).toEqual(['order-placed', 'order-payment-seen'])
  for (const confirmations of [1, 2, 3]) {
    chain.mine()
    await chain.look()
    expect(await paymentOf(id)).toMatchObject({
      state: confirmations < 3 ? 'confirming' : 'paid',
      confirmations,
      isReadyToComplete: confirmations === 3,
      transactions: [{ state: 'confirmed', height: 6 }],
    })
    expect((await detail(id)).flags.includes('ready_to_complete')).toBe(confirmations === 3)
  }
  expect(await listFlagged(started, officer, 'ready_to_complete')).toEqual([{ id, isFlagged: true }])
  // Without the setting, the order waits for finance indefinitely.
  chain.mine(20)
  await chain.look()
  expect((await detail(id)).order.status).toBe('pending')
  expect(await actions(id)).toEqual(['order-payment-seen by the program'])
  expect(await orderMailsTo(started, buyer)).toHaveLength(2)
})

test('a reorganization removes a payment, and returns it in another block', async () => {
  const { chain, paymentOf, order, detail, actions } = await aWatchedSale()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(2)
  await chain.look()
  expect((await paymentOf(id)).confirmations).toBe(2)
  chain.unmine(2)
  await chain.look()
  // A shorter chain is not a better one, so its blocks are not trusted yet.
  expect((await paymentOf(id)).state).toBe('confirming')
  chain.mineEmpty(3)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({
    state: 'reorganised',
    confirmations: 0,
    isReadyToComplete: false,
    transactions: [{ state: 'pool', height: null }],
  })
  chain.mine(4)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', confirmations: 3 })
  expect((await detail(id)).flags).toContain('ready_to_complete')
  expect(await actions(id)).toEqual(['order-payment-seen by the program'])
})

test('a double spend by reorganization leaves nothing paid, and a completed order is flagged', async () => {
  const { started, officer, chain, paymentOf, order, detail, actions } = await aWatchedSale({
    CHAIN_COMPLETE: 'exact',
  })
  const [id, completed] = [await order(), await order()]
  await chain.pay({ [completed]: '0.5' })
  chain.mine(3)
  await chain.look()
  await chain.look()
  expect((await detail(completed)).order.status).toBe('completed')
  await chain.pay({ [id]: '0.5' })
  chain.mine(1)
  await chain.look()
  chain.unmine(4, false)
  chain.mine(6)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({
    state: 'reorganised',
    received: '0',
    transactions: [{ state: 'gone', height: null }],
  })
  expect(await paymentOf(completed)).toMatchObject({ state: 'reorganised', isReadyToComplete: false })
  expect(await listFlagged(started, officer, 'payment_gone')).toEqual([{ id: completed, isFlagged: true }])
  expect(await actions(completed)).toContain('order-payment-gone by the program')
  expect((await detail(completed)).order.status).toBe('completed')
})

test('flags a completed order whose payment is unconfirmed after a reorganization and then replaced', async () => {
  const { started, officer, chain, paymentOf, order } = await aWatchedSale({ CHAIN_COMPLETE: 'exact' })
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  chain.mine(3)
  await chain.look()
  chain.unmine(3)
  chain.mineEmpty(4)
  await chain.look()
  // The payment is back in the mempool.
  expect(await paymentOf(id)).toMatchObject({ state: 'reorganised', received: '0.5' })
  expect(await listFlagged(started, officer, 'payment_gone')).toEqual([])
  chain.drop(txId)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'reorganised', received: '0' })
  expect(await listFlagged(started, officer, 'payment_gone')).toEqual([{ id, isFlagged: true }])
})

test('follows the replacement of a transaction, and ignores a dropped one', async () => {
  const { chain, paymentOf, order, detail } = await aWatchedSale()
  const id = await order()
  const first = await chain.pay({ [id]: '0.5' })
  await chain.look()
  expect((await detail(id)).order.txId).toBe(first)
  chain.drop(first)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'awaited', received: '0' })
  const second = await chain.pay({ [id]: '0.5' })
  chain.mine(3)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', isReadyToComplete: true })
  expect((await detail(id)).order.txId).toBe(second)
})

test('cancels no order with its own address while the node does not respond', async () => {
  const { started, chain, paymentOf, order, detail } = await aWatchedSale()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.setDown(true)
  expect(await chain.look()).toBe('failed')
  await moveDeadline(started, id, -1)
  await started.services.db
    .updateTable('chain_watch')
    .set({ looked_at: new Date(Date.now() - 3_600_000) })
    .execute()
  await enforceDeadlines(started.services)
  expect((await detail(id)).order.status).toBe('pending')
  expect((await paymentOf(id)).isStale).toBe(true)
  // A block had included it in time.
  chain.mine(3, new Date(Date.now() - 600_000))
  chain.setDown(false)
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', isReadyToComplete: true, isStale: false })
  // An unpaid order is canceled once the chain was polled.
  const unpaid = await order()
  await moveDeadline(started, unpaid, -120)
  await enforceDeadlines(started.services)
  expect((await detail(unpaid)).order.status).toBe('cancelled')
})

test('keeps reading a node that is cut off from its network, and cancels no order', async () => {
  const { started, chain, order, detail } = await aWatchedSale()
  const { db } = started.services
  const watch = () => db.selectFrom('chain_watch').selectAll().executeTakeFirstOrThrow()
  const statusOf = async (id: string) => (await detail(id)).order.status
  const id = await order()
  await moveDeadline(started, id, -60)
  await db
    .updateTable('chain_watch')
    .set({ looked_at: new Date(Date.now() - HOUR) })
    .execute()
  chain.mine(3, new Date(Date.now() - 5 * HOUR))
  // The node claims to be in sync.
  expect(await chain.look()).toBe('failed')
  expect(await watch()).toMatchObject({ failure: 'stalled', height: 8 })
  await enforceDeadlines(started.services)
  expect(await statusOf(id)).toBe('pending')
  chain.mine()
  expect(await chain.look()).toBe('looked')
  expect(await watch()).toMatchObject({ failure: null, height: 9 })
  await enforceDeadlines(started.services)
  expect(await statusOf(id)).toBe('cancelled')
})
