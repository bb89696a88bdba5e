import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi, staffDecides, type TestApi } from '#tests/setup/start-api.ts'
import { aChain, aWatchedSale } from '#tests/watched-sale.ts'
import { pollChain } from '../chains/poll-chain.ts'
import { targetOf } from '../../platform/chain-keys/account-key.ts'

/* Tests what a payment on chain proves without an officer's statement. */

const elsewhere = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const needsReason = [{ path: 'reason', code: 'required' }]

const officersOf = async (started: TestApi) => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await aSignedInMember(started, { manage_finance: 2 })
  return officer
}
const update = (started: TestApi, by: TestMember, _id: string, body: object) =>
  started.call(api.updateOrder, { body: { _id, ...body } }, { token: by.token })
const statusOf = async (started: TestApi, by: TestMember, id: string) =>
  (await started.call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body.order.status
const provenOf = async (started: TestApi, by: TestMember, id: string) =>
  (await started.call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body.provenAmount
/** Returns the tokens that count toward the daily total of the officer who completed the order. */
const countedOf = async ({ services }: TestApi, orderId: string) =>
  (
    await services.db
      .selectFrom('order_step')
      .select('alone_quantity')
      .where('order_id', '=', orderId)
      .where('kind', '=', 'completed')
      .executeTakeFirst()
  )?.alone_quantity

const corrections = {
  quantity: { fabQty: '9999', confirmsQuantity: true },
  amount: { amount: '0.0005', confirmsQuantity: true },
  address: { ethAddress: elsewhere },
  // Restoring the quoted quantity doesn't show who agreed to it.
  back: { fabQty: '120' },
}

test('completes no order that staff set or changed', async () => {
  const { started, chain, order } = await aWatchedSale({ ...staffDecides, CHAIN_COMPLETE: 'exact' })
  const officer = await officersOf(started)
  const ids = Object.fromEntries(
    await Promise.all(
      [...Object.keys(corrections), 'lowered', 'untouched', 'noted'].map(async (name) => [
        name,
        await order(name === 'lowered' ? '1' : '0.001'),
      ]),
    ),
  ) as Record<string, string>
  const correct = async (name: string, body: object) => {
    const corrected = await update(started, officer, ids[name]!, { ...body, reason: 'Agreed.' })
    expect(corrected.status).toBe(200)
  }
  await correct('back', corrections.quantity)
  for (const [name, body] of Object.entries(corrections)) await correct(name, body)
  await correct('lowered', corrections.quantity)
  await correct('noted', { email: 'other@example.test' })
  for (const [name, id] of Object.entries(ids))
    await chain.pay({ [id]: name === 'lowered' ? '1' : name === 'amount' ? '0.0005' : '0.001' })
  chain.mine(3)
  await chain.look()
  await chain.look()
  const states: Record<string, string> = {}
  for (const [name, id] of Object.entries(ids)) states[name] = await statusOf(started, officer, id)
  expect(states).toEqual({
    quantity: 'pending',
    amount: 'pending',
    address: 'pending',
    back: 'pending',
    lowered: 'pending',
    untouched: 'completed',
    noted: 'completed',
  })
})

test('an order changed by staff needs a reason and counts toward the daily total', async () => {
  const { started, chain, order } = await aWatchedSale(staffDecides)
  const officer = await officersOf(started)
  // Whoever changed the address doesn't complete the order alone.
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const [untouched, sentElsewhere] = [await order('0.08'), await order('0.08')]
  await update(started, officer, sentElsewhere, { ethAddress: elsewhere, reason: 'Typo.' })
  for (const id of [untouched, sentElsewhere]) await chain.pay({ [id]: '0.08' })
  chain.mine(3)
  await chain.look()
  expect(await provenOf(started, officer, untouched)).toBe('0.08')
  expect(await provenOf(started, officer, sentElsewhere)).toBeNull()
  expect((await update(started, officer, untouched, { status: 'completed' })).body.status).toBe('completed')
  expect(await countedOf(started, untouched)).toBeNull()
  for (const body of [{}, { paidAmount: '0.08' }])
    expect(
      (await update(started, colleague, sentElsewhere, { status: 'completed', ...body })).problem.errors,
    ).toMatchObject(needsReason)
  const done = await update(started, colleague, sentElsewhere, { status: 'completed', reason: 'As agreed.' })
  expect(done.body.status).toBe('completed')
  expect(Number(await countedOf(started, sentElsewhere))).toBe(9600)
})

async function aSharedAddress() {
  const started = await startApi({
    ...staffDecides,
    CHAIN_BTC_URL: 'http://127.0.0.1:9',
    CHAIN_BTC_CONFIRMATIONS: '3',
    WITHDRAWAL_DAYS: '14',
  })
  const buyer = await aBuyer(started)
  const officer = await officersOf(started)
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const order = async () => (await anOrderOf(started, buyer, 'BTC', '0.08'))._id
  const first = await order()
  const { body } = await started.call(api.getOrderPayment, { params: { id: first } }, { token: buyer.token })
  const target = targetOf(body.receivingAddress, 'bitcoin', 'main') ?? ''
  return { started, buyer, officer, chain, order, first, pay: () => chain.pay({ [target]: '0.08' }) }
}

test('a payment at a shared address counts whoever named it, and needs no reason only from its member', async () => {
  const { started, buyer, officer, chain, order, first: reported, pay } = await aSharedAddress()
  const [named, one, other] = [await order(), await order(), await order()]
  const [own, strangers, both] = [await pay(), await pay(), await pay()]
  chain.mine(3)
  await chain.look()
  const report = { params: { id: reported }, body: { txId: own } }
  expect((await started.call(api.reportPayment, report, { token: buyer.token })).status).toBe(200)
  expect((await update(started, officer, named, { txId: strangers })).status).toBe(200)
  const shares = { txId: both, sharesTransaction: true, reason: 'For both.' }
  for (const id of [one, other]) expect((await update(started, officer, id, shares)).status).toBe(200)
  await chain.look()
  await chain.look()
  const complete = (id: string, body: object = {}) =>
    update(started, officer, id, { status: 'completed', ...body })
  expect(await provenOf(started, officer, reported)).toBe('0.08')
  expect(await provenOf(started, officer, named)).toBeNull()
  expect((await complete(reported)).body.status).toBe('completed')
  expect((await complete(named)).problem.errors).toMatchObject(needsReason)
  expect((await complete(named, { reason: 'Seen.' })).body.status).toBe('completed')
  for (const id of [one, other])
    expect((await complete(id, { sharesTransaction: true, reason: 'For both.' })).body.status).toBe(
      'completed',
    )
  for (const id of [reported, named, one, other]) expect(Number(await countedOf(started, id))).toBe(9600)
})

test('one officer cannot refund a payment at a shared address', async () => {
  const { started, buyer, officer, chain, first, pay } = await aSharedAddress()
  const txId = await pay()
  chain.mine(3)
  await chain.look()
  await update(started, officer, first, { txId })
  await chain.look()
  const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
  const asked = { params: { id: first }, body: { refundAddress } }
  const { body } = await started.call(api.requestWithdrawal, asked, { token: buyer.token })
  const params = { id: body.id }
  await started.call(api.acceptWithdrawal, { params, body: {} }, { token: officer.token })
  const paidOn = new Date().toISOString().slice(0, 10)
  const refund = { amount: '0.08', txId: 'c'.repeat(64), paidOn, reason: 'Back.' }
  const sent = await started.call(api.recordRefund, { params, body: refund }, { token: officer.token })
  expect(sent.body.state).toBe('accepted')
})

test('a payment at the order’s own address is no evidence once another order is involved', async () => {
  const { started, chain, order } = await aWatchedSale(staffDecides)
  const officer = await officersOf(started)
  const thief = await aBuyer(started)
  const [paid, sole] = [await order('0.08'), await order('0.08')]
  const theirs = (await anOrderOf(started, thief, 'BTC', '0.08'))._id
  const txId = await chain.pay({ [paid]: '0.08' })
  await chain.pay({ [sole]: '0.08' })
  chain.mine(3)
  await chain.look()
  await started.call(api.reportPayment, { params: { id: theirs }, body: { txId } }, { token: thief.token })
  await chain.look()
  const settled = await update(started, officer, paid, { disputed: false, reason: 'Theirs.' })
  expect(settled.status).toBe(200)
  expect((await update(started, officer, paid, { status: 'completed' })).problem.errors).toMatchObject(
    needsReason,
  )
  expect((await update(started, officer, sole, { status: 'completed' })).body.status).toBe('completed')
})

test('a payment of almost nothing needs two approvals', async () => {
  const { started, order } = await aWatchedSale(staffDecides)
  const officer = await officersOf(started)
  const gift = async (paidAmount: string, correction?: object) => {
    const id = await order('0.08')
    if (correction) await update(started, officer, id, { ...correction, reason: 'Agreed.' })
    const body = { status: 'completed', paidAmount, reason: 'A prize.' }
    return (await update(started, officer, id, body)).body.status
  }
  expect(await gift('0.000000000000000001')).toBe('pending')
  expect(await gift('0.00079999')).toBe('pending')
  expect(await gift('0.0008')).toBe('completed')
  // The quoted rate determines the price, regardless of the amount due now.
  expect(await gift('0.00001', { amount: '0.00001', confirmsQuantity: true })).toBe('pending')
})

test('a payment that a scan found gone does not count before its order is evaluated again', async () => {
  const { started, chain, order } = await aWatchedSale({ ORDER_TWO_PERSONS_FROM: '100000' })
  const officer = await officersOf(started)
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  expect((await update(started, officer, id, { paidAmount: '0.5' })).status).toBe(200)
  chain.unmine(4, false)
  chain.mine(5)
  await started.services.db
    .updateTable('chain_watch')
    .set({ next_at: new Date(0) })
    .execute()
  const [watched] = started.services.config.chains
  await pollChain(started.services, watched!, { read: chain.read, act: async () => {} })
  expect((await update(started, officer, id, { status: 'completed' })).problem.errors).toMatchObject([
    { path: 'paidAmount', code: 'required' },
    { path: 'reason', code: 'required' },
  ])
})
