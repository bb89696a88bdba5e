import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { sale } from '../sale/sale.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const cleanUp = () => sale.cleanUp.saleSetters(services)

async function anOfficer() {
  const officer = await aSignedInMember(started, { manage_coins: 2 })
  await proveIdentity(started, officer)
  return officer
}
const quote = (by: TestMember, payMethod = 'BTC') =>
  call(api.createQuote, { body: { payMethod, amount: '1' } }, { token: by.token })
const place = (by: TestMember, quoteId: string) =>
  call(api.createOrder, { body: { quoteId } }, { token: by.token })
function set(by: TestMember, rate: string) {
  const { payMethods, ...rest } = saleSettings()
  const [first, ...others] = payMethods
  return call(
    api.updateSaleSettings,
    { body: { ...rest, payMethods: [{ ...first!, rate }, ...others], confirmedRates: { BTC: rate } } },
    { token: by.token },
  )
}

test('a price editor cannot buy for a day, in any coin or with an earlier quote', async () => {
  await aSale(started)
  const [officer, other] = [await anOfficer(), await anOfficer()]
  const before = (await quote(officer)).body.quoteId
  expect((await set(officer, '130000')).status).toBe(200)
  for (const method of ['BTC', 'ETH']) expect((await quote(officer, method)).problem.code).toBe('own_price')
  expect((await place(officer, before)).problem.code).toBe('own_price')
  // The restriction remains even if a colleague changes the price afterwards.
  expect((await set(other, '120000')).status).toBe(200)
  expect((await quote(officer)).problem.code).toBe('own_price')
  await services.db
    .updateTable('sale_setter')
    .set({ changed_at: sql<Date>`now() - interval '25 hours'` })
    .where('member_id', '=', officer.id)
    .execute()
  // The sale also started before the restriction did.
  await began('25 hours')
  expect((await quote(officer)).status).toBe(201)
})

const began = (ago: string) =>
  services.db
    .updateTable('sale')
    .set({ opened_at: sql<Date>`now() - ${ago}::interval` })
    .execute()
const aged = (officer: TestMember) =>
  services.db
    .updateTable('sale_setter')
    .set({ changed_at: sql<Date>`now() - interval '30 days'` })
    .where('member_id', '=', officer.id)
    .execute()

test('a price set before the sale starts restricts its editor for the sale’s first day', async () => {
  await aSale(started, { isOpen: false })
  const officer = await anOfficer()
  const settings = saleSettings()
  const save = (more: object) =>
    call(api.updateSaleSettings, { body: { ...settings, ...more } }, { token: officer.token })
  expect((await save({ isOpen: false, quoteMinutes: 20 })).status).toBe(200)
  await aged(officer)
  await cleanUp()
  await aSale(started)
  expect((await quote(officer)).problem.code).toBe('own_price')
  await began('25 hours')
  expect((await quote(officer)).status).toBe(201)
  // The same applies to a scheduled opening long after someone opened the sale.
  await aSale(started, { opensAt: new Date(Date.now() - 3_600_000).toISOString() })
  expect((await quote(officer)).problem.code).toBe('own_price')
  await aSale(started, { opensAt: new Date(Date.now() - 49 * 3_600_000).toISOString() })
  await began('49 hours')
  expect((await quote(officer)).status).toBe(201)
  await cleanUp()
  const left = services.db.selectFrom('sale_setter').select('member_id').where('member_id', '=', officer.id)
  expect(await left.execute()).toEqual([])
})

test('a save without changes does not count', async () => {
  await aSale(started)
  const officer = await anOfficer()
  expect((await set(officer, saleSettings().payMethods[0]!.rate)).status).toBe(200)
  expect((await quote(officer)).status).toBe(201)
})

test('a colleague’s correction cannot bypass it, and an earlier one is not completed', async () => {
  await aSale(started)
  const officer = await anOfficer()
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const update = (id: string, body: object) =>
    call(api.updateOrder, { body: { _id: id, ...body } }, { token: finance.token })
  const [{ _id: id }, { _id: other }] = [
    await anOrderOf(started, officer, 'ETH', '0.1'),
    await anOrderOf(started, officer, 'ETH', '0.1'),
  ]
  expect((await set(officer, '130000')).status).toBe(200)
  const reason = 'Agreed.'
  for (const change of [{ amount: '0.2' }, { fabQty: '8000' }, { payMethod: 'BTC' }])
    expect((await update(id, { ...change, confirmsQuantity: true, reason })).problem.code).toBe('own_price')
  // An order placed before its member set the price is completed as placed.
  expect((await update(id, { status: 'completed', paidAmount: '0.1', reason })).body.status).toBe('completed')
  // Simulates a correction made after the price change.
  await services.db
    .updateTable('sale_setter')
    .set({ changed_at: sql<Date>`now() - interval '30 hours'` })
    .where('member_id', '=', officer.id)
    .execute()
  await began('31 hours')
  expect((await update(other, { fabQty: '8000', confirmsQuantity: true, reason })).status).toBe(200)
  await services.db
    .updateTable('sale_setter')
    .set({ changed_at: sql<Date>`now() - interval '1 hour'` })
    .where('member_id', '=', officer.id)
    .execute()
  await services.db
    .updateTable('order_step')
    .set({ at: sql<Date>`now() - interval '1 minute'` })
    .where('order_id', '=', other)
    .execute()
  const completed = await update(other, { status: 'completed', paidAmount: '0.1', reason })
  expect(completed.problem.code).toBe('own_price')
})

test('whoever proposed a price cannot order while the proposal waits', async () => {
  await aSale(started)
  const [officer, other] = [await anOfficer(), await anOfficer()]
  await services.db.deleteFrom('sale_setter').execute()
  const proposal = { proposed_by: officer.id, settings: '{}', changes: '[]' }
  await services.db.insertInto('sale_proposal').values(proposal).execute()
  expect((await quote(officer)).problem.code).toBe('own_price')
  expect((await quote(other)).status).toBe(201)
  await services.db.deleteFrom('sale_proposal').execute()
  expect((await quote(officer)).status).toBe(201)
})
