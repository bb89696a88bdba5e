import { shownReference } from '../../platform/text/order-reference.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSale, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, updatePaid } from '#tests/orders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'

// One officer can complete orders of up to 100 tokens alone, and 500 tokens per day.
const started = await startApi({ ORDER_TWO_PERSONS_FROM: '100' }, afterAll)
const { call, services } = started
await aSale(started)
const today = new Date().toISOString().slice(0, 10)
let officer: TestMember
let colleague: TestMember

beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

async function aPending(fabQty = '99') {
  const member = await aSignedInMember(started)
  return (await anOrder(started, member.id, { fabQty })).id
}
const complete = (by: TestMember, _id: string) => updatePaid(started, { _id, status: 'completed' }, by)
const enter = async (by: TestMember, fabQty = '99', body: object = {}) => {
  const { id: memberId } = await aSignedInMember(started)
  const entered = { memberId, payMethod: 'BTC', amount: '1', fabQty, status: 'completed', reason: 'Paid.' }
  return call(api.createOrder, { body: { ...entered, ...body } }, { token: by.token })
}
const rowOf = (id: string) =>
  services.db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
let transactions = 0
const txIds: Record<string, string> = {}
const importLines = async (by: TestMember, ids: readonly string[]) => {
  const orders = await services.db
    .selectFrom('token_order')
    .select(['id', 'reference', 'updated_at'])
    .where('id', 'in', ids)
    .execute()
  const txIdOf = (id: string) => (txIds[id] ??= `0x${(transactions += 1).toString(16).padStart(64, '0')}`)
  const lines = ids.map(
    (id) => `${orders.find((each) => each.id === id)!.reference},${txIdOf(id)},1.5,${today},yes`,
  )
  const csv = `reference,txId,amount,date,complete\n${lines.join('\n')}\n`
  const seen = orders.map(({ id, updated_at }) => ({ id, updatedAt: updated_at.toISOString() }))
  const body = { file: Buffer.from(csv).toString('base64') }
  const shown = await call(api.importOrderPayments, { body }, { token: by.token })
  const applied = await call(api.importOrderPayments, { body: { ...body, seen } }, { token: by.token })
  return [shown, applied].map((answer) => answer.body.lines.map(({ effect }) => effect))
}
const read = async (id: string, by: TestMember) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body
/** Uses 495 of the 500 tokens. */
async function fillDay(by = officer) {
  for (let n = 0; n < 5; n += 1) expect((await complete(by, await aPending())).body.status).toBe('completed')
}
const someDaysAgo = (by: TestMember) =>
  services.db
    .updateTable('order_step')
    .set({ at: sql<Date>`now() - interval '25 hours'` })
    .where('by_member_id', '=', by.id)
    .execute()

test('small orders completed by one officer within a day add up, and a colleague approves the next', async () => {
  await fillDay()
  expect((await complete(officer, await aPending('5'))).body.status).toBe('completed')
  const next = await aPending('0.00000001')
  expect(await read(next, officer)).toMatchObject({ takesTwo: true, secondPersonCause: 'daily_total' })
  expect(await read(next, colleague)).toMatchObject({ takesTwo: false, secondPersonCause: null })
  expect((await complete(officer, next)).body.status).toBe('pending')
  expect((await complete(officer, next)).problem.errors).toMatchObject([
    { path: 'status', code: 'second_person' },
  ])
  expect((await complete(colleague, next)).body.status).toBe('completed')
  // The next day starts at zero.
  await someDaysAgo(officer)
  expect((await complete(officer, await aPending())).body.status).toBe('completed')
})

test('completions by two people or automatic ones count for no one', async () => {
  await fillDay()
  const proposed = [await aPending(), await aPending(), await aPending(), await aPending(), await aPending()]
  for (const id of proposed) {
    expect((await complete(officer, id)).body.status).toBe('pending')
    expect((await complete(colleague, id)).body.status).toBe('completed')
  }
  await fillDay(colleague)
})

test('entered and imported completions add up with others', async () => {
  for (let n = 0; n < 2; n += 1) expect((await enter(officer)).status).toBe(201)
  const imported = [await aPending(), await aPending(), await aPending(), await aPending()]
  const [shown, applied] = await importLines(officer, imported)
  expect(shown).toEqual(['completes', 'completes', 'completes', 'proposes'])
  expect(applied).toEqual(shown)
  const states = await Promise.all(imported.map(async (id) => (await read(id, officer)).order.status))
  expect(states).toEqual(['completed', 'completed', 'completed', 'pending'])
  expect((await complete(officer, await aPending())).body.status).toBe('pending')
  const refused = await enter(officer)
  expect(refused.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  expect((await enter(officer, '5')).status).toBe(201)
  const [, held] = await importLines(colleague, [imported[3]!])
  expect(held).toEqual(['nothing'])
  expect((await complete(colleague, imported[3]!)).body.status).toBe('completed')
})

test('of two concurrent requests of one officer, the second sees what the first completed', async () => {
  for (let n = 0; n < 3; n += 1) {
    const by = await aSignedInMember(started, { manage_finance: 2 })
    for (let of = 0; of < 4; of += 1) await complete(by, await aPending())
    const [first, second] = [await aPending('60'), await aPending('60')]
    const answers = await Promise.all([complete(by, first), complete(by, second), enter(by, '60')])
    expect(answers.filter(({ status, body }) => status < 300 && body.status === 'completed')).toHaveLength(1)
  }
})

let addresses = 0
/** Simulates a final payment of 0.02 ETH to the order's own address. */
async function payAtOwnAddress(orderId: string) {
  const address = `0x${(addresses += 1).toString(16).padStart(40, '0')}`
  const account = { id: 'an account', coin: 'ETH', next_position: 1000 }
  await services.db
    .insertInto('chain_account')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await services.db
    .insertInto('chain_address')
    .values({
      coin: 'ETH',
      target: address,
      address,
      order_id: orderId,
      account_id: account.id,
      position: addresses,
    })
    .execute()
  await services.db
    .updateTable('token_order')
    .set({ receiving_address: address })
    .where('id', '=', orderId)
    .execute()
  await services.db
    .insertInto('chain_payment')
    .values({ order_id: orderId, coin: 'ETH', state: 'paid', received: '0.02' })
    .execute()
}

async function aQuoted(by: 'quote' | 'word', fabQty: string) {
  const member = await aBuyer(started)
  // At a rate of 4,000.5 tokens per ETH.
  const order = await anOrderOf(started, member, 'ETH', '0.02')
  await services.db
    .updateTable('token_order')
    .set({ fab_qty: fabQty, ...(by === 'word' && { rate: null }) })
    .where('id', '=', order._id)
    .execute()
  await payAtOwnAddress(order._id)
  return order._id
}

test('a payment on chain does not count, unless it pays less than the order delivers', async () => {
  await fillDay()
  expect((await complete(officer, await aQuoted('quote', '80.01'))).body.status).toBe('completed')
  expect((await complete(officer, await aQuoted('quote', '90'))).body.status).toBe('pending')
  // Quantity and amount of an entered order rest only on an officer's statement.
  expect((await complete(officer, await aQuoted('word', '80.01'))).body.status).toBe('pending')
})

test('completing an unpaid order needs two approvals, whatever its size', async () => {
  const _id = await aPending('1')
  const gift = { _id, status: 'completed', paidAmount: '0', reason: 'A prize.' } as const
  expect((await updatePaid(started, gift, officer)).body.status).toBe('pending')
  expect(await read(_id, colleague)).toMatchObject({ takesTwo: true, secondPersonCause: 'nothing_received' })
  expect((await updatePaid(started, { _id, status: 'completed' }, colleague)).body.status).toBe('completed')
  const entered = await enter(officer, '1', { amount: '0' })
  expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
})

test('an order paid with almost nothing at the sale’s rate needs two approvals, on every path', async () => {
  const buyer = await aBuyer(started)
  const next = { payMethod: 'BTC', amount: '0.00000001' }
  const entered = await enter(officer, '99', next)
  expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  const pending = (await enter(officer, '99', { ...next, status: 'pending' })).body._id
  const quoted = (await anOrderOf(started, buyer, 'ETH', '0.02'))._id
  const correction = { ...next, confirmsQuantity: true, reason: 'Agreed.' }
  await call(api.updateOrder, { body: { _id: quoted, ...correction } }, { token: officer.token })
  for (const _id of [pending, quoted]) {
    const paid = { body: { _id, paidAmount: '0.00000001' } }
    await call(api.updateOrder, paid, { token: officer.token })
    const { body } = await call(
      api.updateOrder,
      { body: { _id, status: 'completed', reason: 'Agreed.' } },
      { token: officer.token },
    )
    expect(body.status).toBe('pending')
    expect(await read(_id, colleague)).toMatchObject({
      takesTwo: true,
      secondPersonCause: 'nothing_received',
    })
    expect((await complete(colleague, _id)).body.status).toBe('completed')
  }
})

test.each(['', 'Cash'])(
  'an order in the payment method “%s”, which the sale doesn’t have, needs two approvals',
  async (payMethod) => {
    const buyer = await aBuyer(started)
    const { _id } = await anOrderOf(started, buyer, 'ETH', '0.02')
    await services.db
      .updateTable('token_order')
      .set({ pay_method: payMethod, rate: null })
      .where('id', '=', _id)
      .execute()
    const paid = { _id, status: 'completed', paidAmount: '0.02', reason: 'Agreed.' } as const
    expect((await updatePaid(started, paid, officer)).body.status).toBe('pending')
    expect(await read(_id, colleague)).toMatchObject({ secondPersonCause: 'nothing_received' })
    expect((await complete(colleague, _id)).body.status).toBe('completed')
    const entered = await enter(officer, '9', { payMethod, amount: '9' })
    expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  },
)

test('one officer enters an order as completed only at the price of the sale, and without an address', async () => {
  await aBuyer(started)
  const paid = { payMethod: 'ETH', amount: '0.02' }
  expect((await enter(officer, '80', paid)).body.status).toBe('completed')
  const refused = [{ path: 'status', code: 'second_person' }]
  expect((await enter(officer, '82', paid)).problem.errors).toMatchObject(refused)
  expect((await enter(officer, '80', { ...paid, fabAddress: ownAddress })).problem.errors).toMatchObject(
    refused,
  )
})

test('a statement line with almost nothing at the sale’s rate only proposes completion', async () => {
  await aBuyer(started)
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { amount: '0.000001', fabQty: '99' })
  const reference = shownReference((await rowOf(id)).reference)
  const csv = `reference,txId,amount,date,complete\n${reference},0x${'7'.repeat(64)},0.000001,${today},yes\n`
  const body = { file: Buffer.from(csv).toString('base64') }
  const { lines } = (await call(api.importOrderPayments, { body }, { token: officer.token })).body
  expect(lines.map(({ effect }) => effect)).toEqual(['proposes'])
  const seen = lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  await call(api.importOrderPayments, { body: { ...body, seen } }, { token: officer.token })
  expect((await rowOf(id)).status).toBe('pending')
})

test('without rates, the officer who sets an unknown quantity cannot complete the order alone', async () => {
  const on = await startApi({ ORDER_TWO_PERSONS_FROM: '100' })
  const one = await aSignedInMember(on, { manage_finance: 2 })
  const other = await aSignedInMember(on, { manage_finance: 2 })
  const aPaidOrder = async () => {
    const member = await aSignedInMember(on)
    return (await anOrder(on, member.id, { fabQty: null, rate: null, paidAmount: '1.5' })).id
  }
  const change = async ({ token }: TestMember, body: object) =>
    (await on.call(api.updateOrder, { body: body as never }, { token })).body.status

  const atOnce = await aPaidOrder()
  const setting = { _id: atOnce, fabQty: '99', status: 'completed', reason: 'Agreed.' }
  expect(await change(one, setting)).toBe('pending')
  expect(await change(other, { _id: atOnce, status: 'completed' })).toBe('completed')

  const later = await aPaidOrder()
  await change(one, { _id: later, fabQty: '99' })
  const shown = await on.call(api.getConsoleOrder, { params: { id: later } }, { token: one.token })
  expect(shown.body.secondPersonCause).toBe('own_change')
  expect(await change(one, { _id: later, status: 'completed' })).toBe('pending')

  const byColleague = await aPaidOrder()
  await change(one, { _id: byColleague, fabQty: '99' })
  expect(await change(other, { _id: byColleague, status: 'completed' })).toBe('completed')
})
