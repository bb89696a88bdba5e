import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { moveDeadline, orderMailsTo, stepsOf } from '#tests/orders.ts'
import { bankMapping, importStatement } from '#tests/statements.ts'
import { aChain, aWatchedSale } from '#tests/watched-sale.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'
import { dropGrace, dropGraceMax, graceEnd } from '../orders/dropped-payment.ts'
import { unconfirmedMax } from '../orders/order-deadline.queries.ts'

type Sale = Awaited<ReturnType<typeof aWatchedSale>>

const deadlineOf = async ({ detail }: Sale, id: string) => {
  const { payBefore } = (await detail(id)).order
  return Date.parse(payBefore ?? '')
}
const statusOf = async ({ detail }: Sale, id: string) => (await detail(id)).order.status
const report = ({ started, buyer }: Sale, id: string, txId: string) =>
  started.call(api.reportPayment, { params: { id }, body: { txId } }, { token: buyer.token })
/** Simulates a report made `age` ago, with the chain polled since. */
const ageReport = ({ started }: Sale, id: string, age: number) =>
  started.services.db
    .updateTable('token_order')
    .set({ reported_at: new Date(Date.now() - age), created_at: new Date(Date.now() - 2 * DAY) })
    .where('id', '=', id)
    .execute()
const ageAddresses = ({ started }: Sale) =>
  started.services.db
    .updateTable('chain_address')
    .set({ created_at: new Date(Date.now() - 3 * DAY) })
    .execute()
/** Simulates a deadline that passed a while ago, with the chain polled since. */
async function passDeadline(sale: Sale, id: string, seconds = 120): Promise<void> {
  await moveDeadline(sale.started, id, -seconds)
  await enforceDeadlines(sale.started.services)
}

test('applies the deadline again when the announced payment disappears, with one grace period', async () => {
  const sale = await aWatchedSale()
  const { started, buyer, chain, order, paymentOf } = sale
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  await chain.look()
  await passDeadline(sale, id)
  expect(await statusOf(sale, id)).toBe('pending')

  chain.drop(txId)
  await chain.look()
  const until = await deadlineOf(sale, id)
  expect(until).toBeGreaterThan(Date.now() + dropGrace - 60_000)
  expect(until).toBeLessThanOrEqual(Date.now() + dropGrace)
  const shown = await paymentOf(id)
  expect(shown).toMatchObject({ state: 'awaited', droppedAt: expect.any(String) })
  expect(shown.address).not.toBe('')
  expect(await stepsOf(started, buyer, id)).toEqual(['placed', 'payment_reported', 'payment_dropped'])
  expect((await orderMailsTo(started, buyer)).at(-1)).toBe('order-payment-dropped')

  await enforceDeadlines(started.services)
  expect(await statusOf(sale, id)).toBe('pending')
  await passDeadline(sale, id)
  expect(await statusOf(sale, id)).toBe('cancelled')
  expect((await orderMailsTo(started, buyer)).at(-1)).toBe('order-unpaid-dropped')
})

test('doesn’t ask for another payment while an open statement line may show one', async () => {
  const sale = await aWatchedSale()
  const { started, buyer, chain, order } = sale
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  await chain.look()
  const today = new Date().toISOString().slice(0, 10)
  const text = `Date;Amount;Purpose\n${today};0.5;${(await sale.detail(id)).order.reference}\n`
  const mapping = { ...bankMapping, currency: 'BTC' }
  const { done } = await importStatement(started, finance, text, mapping)
  expect(done.problems).toMatchObject([{ problem: 'differs_from_chain' }])
  chain.drop(txId)
  await chain.look()
  expect(await stepsOf(started, buyer, id)).toContain('payment_dropped')
  const mails = await orderMailsTo(started, buyer)
  expect(mails.at(-1)).toBe('order-payment-dropped-unconfirmed')
  await passDeadline(sale, id)
  expect([await statusOf(sale, id), await orderMailsTo(started, buyer)]).toEqual(['pending', mails])
})

test('announcing and replacing payments repeatedly does not extend the deadline again', async () => {
  const sale = await aWatchedSale()
  const { chain, order } = sale
  const id = await order()
  await moveDeadline(sale.started, id, 60)
  const first = await chain.pay({ [id]: '0.5' })
  await chain.look()
  chain.drop(first)
  await chain.look()
  const granted = await deadlineOf(sale, id)
  for (let round = 0; round < 3; round += 1) {
    const next = await chain.pay({ [id]: '0.5' })
    await chain.look()
    chain.drop(next)
    await chain.look()
    expect(await deadlineOf(sale, id)).toBe(granted)
  }
  // The last payment was announced before the grace period ended, and disappears after it.
  const last = await chain.pay({ [id]: '0.5' })
  await chain.look()
  await passDeadline(sale, id)
  expect(await statusOf(sale, id)).toBe('pending')
  chain.drop(last)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
})

test('a payment that stays unconfirmed for days leaves no grace when it disappears', async () => {
  const sale = await aWatchedSale()
  const { started, buyer, chain, order } = sale
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  await chain.look()
  await passDeadline(sale, id, (dropGraceMax + HOUR) / 1000)
  chain.drop(txId)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  expect(await stepsOf(started, buyer, id)).toEqual([
    'placed',
    'payment_reported',
    'payment_dropped',
    'unpaid',
  ])
})

test('a payment that reappears in time counts again, and one of a canceled order goes to finance', async () => {
  const sale = await aWatchedSale()
  const { started, officer, chain, order, paymentOf } = sale
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  await chain.look()
  chain.drop(txId)
  await chain.look()
  chain.restore(txId)
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'seen', droppedAt: null })
  await passDeadline(sale, id)
  expect(await statusOf(sale, id)).toBe('pending')

  chain.drop(txId)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  chain.restore(txId)
  chain.mine(3)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  const listed = await started.call(
    api.listConsoleOrders,
    { query: { flag: 'reported_late' } },
    { token: officer.token },
  )
  expect(listed.body.map((each) => each.id)).toEqual([id])
})

test('a reported transaction that never appears keeps the order for the grace period only', async () => {
  const sale = await aWatchedSale()
  const { chain, order } = sale
  const [id, fresh] = [await order(), await order()]
  await ageAddresses(sale)
  await report(sale, id, 'ab'.repeat(32))
  await report(sale, fresh, 'cd'.repeat(32))
  await ageReport(sale, id, dropGrace + 60_000)
  await moveDeadline(sale.started, id, -60)
  await moveDeadline(sale.started, fresh, -60)
  // Another made-up transaction does not restart the period.
  await report(sale, id, 'ef'.repeat(32))
  await chain.look()
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  expect(await statusOf(sale, fresh)).toBe('pending')
})

test('keeps an order with a missing transaction while the node cannot tell', async () => {
  const sale = await aWatchedSale()
  const { started, chain, order } = sale
  const id = await order()
  await ageAddresses(sale)
  await report(sale, id, 'ab'.repeat(32))
  await ageReport(sale, id, dropGrace + 60_000)
  await passDeadline(sale, id)
  chain.setDown(true)
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await statusOf(sale, id)).toBe('pending')
})

test('leaves payments named or recorded by finance to a person', async () => {
  const sale = await aWatchedSale()
  const { started, chain, order } = sale
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const [named, recorded] = [await order(), await order()]
  await ageAddresses(sale)
  const update = (body: object) =>
    started.call(api.updateOrder, { body: body as never }, { token: finance.token })
  expect((await update({ _id: named, txId: 'ab'.repeat(32) })).status).toBe(200)
  await report(sale, recorded, 'cd'.repeat(32))
  expect((await update({ _id: recorded, paidAmount: '0.5', reason: 'Seen at the exchange.' })).status).toBe(
    200,
  )
  for (const id of [named, recorded]) {
    await ageReport(sale, id, dropGrace + 60_000)
    await moveDeadline(started, id, -60)
  }
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await statusOf(sale, named)).toBe('pending')
  expect(await statusOf(sale, recorded)).toBe('pending')
})

test('on chains like Ethereum, drops only transactions unknown to the node', async () => {
  const sale = await aWatchedSale({
    CHAIN_ETH_URL: 'http://127.0.0.1:9',
    CHAIN_ETH_XPUB:
      'xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz',
  })
  const { started, buyer } = sale
  const chain = aChain(started, 'ETH')
  chain.mine(5)
  await chain.look()
  const place = async () => {
    const by = { token: buyer.token }
    const quote = await started.call(api.createQuote, { body: { payMethod: 'ETH', amount: '1' } }, by)
    return (await started.call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, by)).body._id
  }
  const [made, viaContract] = [await place(), await place()]
  // It pays the order from inside a contract, which the monitor can't see.
  const known = await chain.pay({ '00ff': '1' })
  await report(sale, made, `0x${'ab'.repeat(32)}`)
  await report(sale, viaContract, `0x${known}`)
  for (const id of [made, viaContract]) {
    await ageReport(sale, id, dropGrace + 60_000)
    await moveDeadline(started, id, -60)
  }
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await statusOf(sale, made)).toBe('cancelled')
  expect(await statusOf(sale, viaContract)).toBe('pending')
})

test.each([
  ['long before the deadline, the deadline stays', -5 * HOUR, 0],
  ['shortly before it, the grace counts from then', -HOUR, HOUR],
  ['after it, the grace counts from then', 3 * HOUR, 3 * HOUR + dropGrace],
  ['near the end of what is granted, the rest is left', dropGraceMax - HOUR, dropGraceMax],
  ['beyond that, nothing is', 14 * DAY, dropGraceMax],
])('where a payment disappears %s', (_, at, end) => {
  const deadline = new Date('2036-05-01T12:00:00Z')
  const since = new Date(deadline.getTime() + at)
  expect(graceEnd(deadline, since).getTime() - deadline.getTime()).toBe(end)
})

test('an unconfirmed payment holds the order for 72 hours after its deadline; a later one goes to finance', async () => {
  const sale = await aWatchedSale()
  const { started, buyer, officer, chain, order } = sale
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  await chain.look()
  await passDeadline(sale, id, (unconfirmedMax - HOUR) / 1000)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('pending')

  await passDeadline(sale, id, (unconfirmedMax + HOUR) / 1000)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  expect((await orderMailsTo(started, buyer)).at(-1)).toBe('order-unpaid-unconfirmed')
  const late = async () =>
    (
      await started.call(
        api.listConsoleOrders,
        { query: { flag: 'reported_late' } },
        { token: officer.token },
      )
    ).body.map((each) => each.id)
  await chain.look()
  expect(await late()).toEqual([])

  chain.mine(3)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('cancelled')
  expect(await late()).toEqual([id])
})

test('keeps an order whose payment is in a block by then', async () => {
  const sale = await aWatchedSale()
  const { chain, order } = sale
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(1)
  await chain.look()
  await passDeadline(sale, id, (unconfirmedMax + HOUR) / 1000)
  await chain.look()
  expect(await statusOf(sale, id)).toBe('pending')
})
