import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aChain } from '#tests/watched-sale.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'

async function scene() {
  const started = await startApi({
    CHAIN_BTC_URL: 'http://127.0.0.1:9',
    CHAIN_BTC_XPUB:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    CHAIN_BTC_CONFIRMATIONS: '3',
    CHAIN_COMPLETE: 'exact',
    ORDER_TWO_PERSONS_FROM: '100000',
  })
  const buyer = await aBuyer(started)
  const { token } = await aSignedInMember(started, { manage_finance: 2 })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  return {
    started,
    chain,
    order: async (amount = '0.5') => (await anOrderOf(started, buyer, 'BTC', amount))._id,
    pay: async (id: string, amount: string, blocks = 3) => {
      await chain.pay({ [id]: amount })
      chain.mine(blocks)
      await chain.look()
      await chain.look()
    },
    change: async (_id: string, change: object) => {
      const body = { _id, reason: 'As they asked.', ...change }
      expect((await started.call(api.updateOrder, { body }, { token })).status).toBe(200)
      const { body: changed } = await started.call(api.getConsoleOrder, { params: { id: _id } }, { token })
      if (!changed.flags.includes('second_person')) return
      const approved = await started.call(api.updateOrder, { body }, { token: colleague.token })
      expect(approved.status).toBe(200)
    },
    /** Returns what the order's console page says, and whether the list and the home page show the flag. */
    async found(id: string, flag: 'payment_unexpected' | 'payment_gone' = 'payment_unexpected') {
      const { body } = await started.call(api.getConsoleOrder, { params: { id } }, { token })
      const list = await started.call(api.listConsoleOrders, { query: { flag } }, { token })
      const waiting = await started.call(api.listNeedsAttention, {}, { token })
      const count = waiting.body.find(({ what }) => what === `orders_${flag}`)?.count
      const isFlagged = body.flags.includes(flag)
      expect([list.body.some((each) => each.id === id), count]).toEqual([isFlagged, list.body.length])
      return { status: body.order.status, isFlagged, flags: body.flags }
    },
  }
}

test('flags a second payment of a completed order until it is settled, not only recorded', async () => {
  const { order, pay, change, found } = await scene()
  const id = await order()
  await pay(id, '0.5')
  expect(await found(id)).toMatchObject({ status: 'completed', isFlagged: false })
  await pay(id, '0.5')
  expect(await found(id)).toMatchObject({ status: 'completed', isFlagged: true })
  await change(id, { paidAmount: '1' })
  expect(await found(id)).toMatchObject({ isFlagged: true })
  await change(id, { amount: '1', fabQty: '120000' })
  expect(await found(id)).toMatchObject({ isFlagged: false })
  await pay(id, '0.1', 1)
  expect(await found(id)).toMatchObject({ isFlagged: true })
})

test('names the first payment of a canceled order, and flags a second one', async () => {
  const { started, order, pay, found } = await scene()
  const id = await order()
  await moveDeadline(started, id, -120)
  await enforceDeadlines(started.services)
  await pay(id, '0.2')
  const first = await found(id)
  expect(first).toMatchObject({ status: 'cancelled', isFlagged: false })
  expect(first.flags).toContain('reported_late')
  await pay(id, '0.1')
  expect(await found(id)).toMatchObject({ isFlagged: true })
})

test('an order paid in its former coin is not ready, and the payment is flagged until it gets the coin back', async () => {
  const { chain, order, pay, change, found } = await scene()
  // Above the threshold, no order is completed automatically.
  const id = await order('1')
  await change(id, { payMethod: 'ETH', confirmsQuantity: true })
  await pay(id, '1', 20)
  for (let looks = 0; looks < 3; looks += 1) {
    const moved = await found(id)
    expect(moved).toMatchObject({ status: 'pending', isFlagged: true })
    expect(moved.flags).not.toContain('ready_to_complete')
    await chain.look()
  }
  await change(id, { payMethod: 'BTC', confirmsQuantity: true })
  await chain.look()
  const back = await found(id)
  expect(back.isFlagged).toBe(false)
  expect(back.flags).toContain('ready_to_complete')
})

test('flags a completed order’s lost payment until finance records it or it returns', async () => {
  const { chain, order, pay, change, found } = await scene()
  const [lost, back] = [await order(), await order()]
  const gone = 'payment_gone'
  await chain.pay({ [lost]: '0.5' })
  await pay(back, '0.5')
  for (const id of [lost, back])
    expect(await found(id, gone)).toMatchObject({ status: 'completed', isFlagged: false })
  chain.unmine(3, false)
  chain.mine(4)
  await chain.look()
  for (const id of [lost, back]) expect(await found(id, gone)).toMatchObject({ isFlagged: true })
  await change(lost, { paidAmount: '0' })
  await pay(back, '0.5')
  for (const id of [lost, back])
    expect(await found(id, gone)).toMatchObject({ status: 'completed', isFlagged: false })
  await chain.look()
  expect(await found(lost, gone)).toMatchObject({ isFlagged: false })
})

test.each(['before', 'after'])(
  'money at a former address that came %s the order was completed stays flagged until finance gives a reason',
  async (when) => {
    const { chain, order, change, found } = await scene()
    const id = await order('0.05')
    await change(id, { payMethod: 'ETH', confirmsQuantity: true })
    await change(id, { amount: '1.5' })
    const arrive = async () => {
      await chain.pay({ [id]: '0.05' })
      chain.mine(4)
      await chain.look()
      await chain.look()
    }
    if (when === 'before') await arrive()
    await change(id, { status: 'completed', paidAmount: '1.5', txId: `0x${'ab'.repeat(32)}` })
    if (when === 'after') await arrive()
    expect(await found(id)).toMatchObject({ status: 'completed', isFlagged: true })
    await change(id, { reason: 'We sent the 0.05 BTC back by hand.' })
    expect(await found(id)).toMatchObject({ status: 'completed', isFlagged: false })
    // More money is flagged again.
    await arrive()
    expect(await found(id)).toMatchObject({ isFlagged: true })
  },
)
