import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ChainPayment } from '#contract/chain-payments.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { aChain } from '#tests/a-chain.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { startApi, startAnotherInstance, type TestApi } from '#tests/setup/start-api.ts'
import { keepDeadlines } from '../orders/deadline-worker.ts'

const settings = {
  CHAIN_BTC_URL: 'http://127.0.0.1:9',
  CHAIN_BTC_XPUB:
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  CHAIN_BTC_CONFIRMATIONS: '3',
}

async function scene(more: Record<string, string> = {}) {
  const started = await startApi({ ...settings, ...more })
  const buyer = await aBuyer(started)
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const paymentOf = async (id: string): Promise<ChainPayment> => {
    const { body } = await started.call(api.getChainPayment, { params: { id } }, { token: buyer.token })
    return body.payment!
  }
  const order = async (amount = '0.5') => (await anOrderOf(started, buyer, 'BTC', amount))._id
  const detail = async (id: string) =>
    (await started.call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body
  const actions = async (id: string) =>
    (
      await started.services.db
        .selectFrom('audit_entry')
        .select(['action', 'actor_id'])
        .where('subject_id', '=', id)
        .where('action', 'in', ['order-payment-seen', 'order-payment-gone', 'order-completed-by-chain'])
        .orderBy('id')
        .execute()
    ).map(({ action, actor_id }) => `${action} ${actor_id ?? 'by the program'}`)
  return { started, buyer, officer, chain, paymentOf, order, detail, actions }
}

const listed = async (started: TestApi, officer: TestMember, flag: 'ready_to_complete' | 'payment_gone') =>
  (await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })).body.map(
    ({ id, flags }) => ({ id, isFlagged: flags.includes(flag) }),
  )

test('a payment is seen, confirmed and paid; it is named, and finance finds it ready', async () => {
  const { started, buyer, officer, chain, paymentOf, order, detail, actions } = await scene()
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
  expect(await listed(started, officer, 'ready_to_complete')).toEqual([{ id, isFlagged: true }])
  // Without the setting it waits for finance, however long.
  chain.mine(20)
  await chain.look()
  expect((await detail(id)).order.status).toBe('pending')
  expect(await actions(id)).toEqual(['order-payment-seen by the program'])
  expect(await orderMailsTo(started, buyer)).toHaveLength(2)
})

test('only what is exact, final and in time is completed without anybody, once, as finance would', async () => {
  const { started, buyer, chain, paymentOf, order, detail, actions } = await scene({
    CHAIN_COMPLETE: 'exact',
    ORDER_TWO_PERSONS_FROM: '100000',
  })
  const [exact, less, more, large] = [await order(), await order(), await order(), await order('1')]
  const [late, twice, entered] = [await order(), await order(), await order()]
  // As finance enters one, with an amount of its own: no quote says that this is the price.
  await started.services.db.updateTable('token_order').set({ rate: null }).where('id', '=', entered).execute()
  await chain.pay({ [entered]: '0.5' })
  await chain.pay({ [exact]: '0.5' })
  await chain.pay({ [less]: '0.49999999' })
  await chain.pay({ [more]: '0.50000001' })
  await chain.pay({ [large]: '1' })
  await chain.pay({ [twice]: '0.5' })
  await chain.pay({ [twice]: '0.5' })
  await moveDeadline(started, late, -60)
  await chain.pay({ [late]: '0.5' })
  chain.mine(10)
  await chain.look()
  await chain.look()
  const states = await Promise.all(
    [exact, less, more, large, late, twice, entered].map(async (id) => [
      (await paymentOf(id)).state,
      (await detail(id)).order.status,
    ]),
  )
  expect(states).toEqual([
    ['paid', 'completed'],
    ['too_little', 'pending'],
    ['too_much', 'pending'],
    // Above the threshold two persons complete it.
    ['paid', 'pending'],
    ['late', 'cancelled'],
    ['too_much', 'pending'],
    ['paid', 'pending'],
  ])
  expect(await actions(exact)).toEqual([
    'order-payment-seen by the program',
    'order-completed-by-chain by the program',
  ])
  expect(await detail(exact)).toMatchObject({ paidAmount: '0.5', difference: '0' })
  expect((await detail(late)).flags).toContain('reported_late')
  expect((await detail(large)).proposal).toBeNull()
  const mails = await orderMailsTo(started, buyer)
  expect(mails.filter((kind) => kind === 'order-completed')).toHaveLength(1)
})

test('who announced a payment in time cannot wait with it for a better price', async () => {
  const { chain, paymentOf, order, detail } = await scene({ CHAIN_COMPLETE: 'exact' })
  const [soon, laterOn] = [await order(), await order()]
  const payBefore = new Date((await detail(soon)).order.payBefore!).getTime()
  await chain.pay({ [soon]: '0.5' })
  await chain.look()
  chain.mine(1, new Date(payBefore + DAY - HOUR))
  await chain.pay({ [laterOn]: '0.5' })
  await chain.look()
  chain.mine(4, new Date(payBefore + DAY + HOUR))
  await chain.look()
  await chain.look()
  for (const [id, status] of [
    [soon, 'completed'],
    [laterOn, 'pending'],
  ] as const) {
    expect((await paymentOf(id)).state).toBe('paid')
    expect((await detail(id)).order.status).toBe(status)
  }
  expect((await detail(laterOn)).flags).toContain('ready_to_complete')
})

test('a reorganisation takes a payment away, and gives it back in another block', async () => {
  const { chain, paymentOf, order, detail, actions } = await scene()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(2)
  await chain.look()
  expect((await paymentOf(id)).confirmations).toBe(2)
  chain.unmine(2)
  await chain.look()
  // A shorter chain is no better one: nothing is believed of it yet.
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

test('a double spend by reorganisation leaves nothing paid, and a completed order is flagged', async () => {
  const { started, officer, chain, paymentOf, order, detail, actions } = await scene({
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
  expect(await listed(started, officer, 'payment_gone')).toEqual([{ id: completed, isFlagged: true }])
  expect(await actions(completed)).toContain('order-payment-gone by the program')
  expect((await detail(completed)).order.status).toBe('completed')
})

test('of a completed order what waits again after a reorganisation, and is replaced then, is flagged', async () => {
  const { started, officer, chain, paymentOf, order } = await scene({ CHAIN_COMPLETE: 'exact' })
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  chain.mine(3)
  await chain.look()
  chain.unmine(3)
  chain.mineEmpty(4)
  await chain.look()
  // It waits in the pool again.
  expect(await paymentOf(id)).toMatchObject({ state: 'reorganised', received: '0.5' })
  expect(await listed(started, officer, 'payment_gone')).toEqual([])
  chain.drop(txId)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'reorganised', received: '0' })
  expect(await listed(started, officer, 'payment_gone')).toEqual([{ id, isFlagged: true }])
})

test('a replaced transaction is followed by the one that replaces it; a dropped one counts for nothing', async () => {
  const { chain, paymentOf, order, detail } = await scene()
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

test('a withdrawn order shows no address, and is not ready to complete', async () => {
  const { started, buyer, chain, paymentOf, order, detail } = await scene({ WITHDRAWAL_DAYS: '14' })
  const [less, exact] = [await order(), await order()]
  await chain.pay({ [less]: '0.4' })
  await chain.pay({ [exact]: '0.5' })
  chain.mine(3)
  await chain.look()
  expect((await paymentOf(less)).address).not.toBe('')
  expect((await detail(exact)).flags).toContain('ready_to_complete')
  const refundAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  for (const id of [less, exact]) {
    const body = { refundAddress }
    const asked = await started.call(api.requestWithdrawal, { params: { id }, body }, { token: buyer.token })
    expect(asked.body.state).toBe('requested')
    expect(await paymentOf(id)).toMatchObject({ address: '', isReadyToComplete: false })
    expect((await detail(id)).flags).not.toContain('ready_to_complete')
    const { body: shown } = await started.call(
      api.getOrderPayment,
      { params: { id } },
      { token: buyer.token },
    )
    expect(shown).toMatchObject({ receivingAddress: '', uri: null, qrSvg: null })
  }
})

test('one transaction that pays two orders is left to people, and counts nowhere twice', async () => {
  const { started, buyer, chain, paymentOf, order, detail } = await scene({ CHAIN_COMPLETE: 'exact' })
  const [one, other] = [await order(), await order('0.25')]
  await chain.pay({ [one]: '0.5', [other]: '0.25' })
  chain.mine(3)
  await chain.look()
  await chain.look()
  const found = await Promise.all([one, other].map(detail))
  expect(found.map(({ order: { status } }) => status)).toEqual(['pending', 'pending'])
  expect(found.every(({ flags }) => flags.includes('disputed'))).toBe(true)
  expect((await paymentOf(one)).received).toBe('0.5')
  expect((await paymentOf(other)).received).toBe('0.25')
  expect((await paymentOf(one)).isReadyToComplete).toBe(false)
  // The member reported nothing, and is not told so.
  const mails = await orderMailsTo(started, buyer)
  expect(mails.filter((kind) => kind.startsWith('order-disputed'))).toEqual(['order-disputed-seen'])
})

test('who names the payment of another order for their own gets nothing by it', async () => {
  const { started, chain, paymentOf, order, detail } = await scene({ CHAIN_COMPLETE: 'exact' })
  const id = await order()
  const thief = await aBuyer(started)
  const theirs = (await anOrderOf(started, thief))._id
  const txId = await chain.pay({ [id]: '0.5' })
  const report = await started.call(
    api.reportPayment,
    { params: { id: theirs }, body: { txId } },
    { token: thief.token },
  )
  expect(report.status).toBe(200)
  chain.mine(3)
  await chain.look()
  await chain.look()
  const seen = await started.call(api.getChainPayment, { params: { id: theirs } }, { token: thief.token })
  expect(seen.body.payment).toMatchObject({ state: 'awaited', received: '0', transactions: [] })
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', isReadyToComplete: false })
  for (const each of [id, theirs])
    expect(await detail(each)).toMatchObject({ order: { status: 'pending', disputed: true } })
})

test('of two instances one looks, and neither counts anything twice', async () => {
  const { started, chain, paymentOf, order, actions } = await scene({ CHAIN_COMPLETE: 'exact' })
  const another = await startAnotherInstance(started)
  const ids = [await order(), await order(), await order()]
  for (const id of ids) await chain.pay({ [id]: '0.5' })
  for (let round = 0; round < 5; round += 1) {
    chain.mine()
    await Promise.all([chain.look(started, 'one'), chain.look(another, 'two'), chain.look(started, 'one')])
  }
  await chain.look()
  for (const id of ids) {
    expect(await paymentOf(id)).toMatchObject({ state: 'paid', received: '0.5' })
    expect(await actions(id)).toEqual([
      'order-payment-seen by the program',
      'order-completed-by-chain by the program',
    ])
  }
})

test('while the node does not answer, no order with an address of its own is cancelled as unpaid', async () => {
  const { started, chain, paymentOf, order, detail } = await scene()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.setDown(true)
  expect(await chain.look()).toBe('failed')
  await moveDeadline(started, id, -1)
  await started.services.db
    .updateTable('chain_watch')
    .set({ looked_at: new Date(Date.now() - 3_600_000) })
    .execute()
  await keepDeadlines(started.services)
  expect((await detail(id)).order.status).toBe('pending')
  expect((await paymentOf(id)).isStale).toBe(true)
  // It had been taken in by a block in time.
  chain.mine(3, new Date(Date.now() - 600_000))
  chain.setDown(false)
  await chain.look()
  await keepDeadlines(started.services)
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', isReadyToComplete: true, isStale: false })
  // One that nobody paid goes once the chain was looked at.
  const unpaid = await order()
  await moveDeadline(started, unpaid, -120)
  await keepDeadlines(started.services)
  expect((await detail(unpaid)).order.status).toBe('cancelled')
})
