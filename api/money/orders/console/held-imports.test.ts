import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import {
  anApplication,
  anOrder,
  aSale,
  aSignedInMember,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { anOrderOf, moveDeadline } from '#tests/orders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { updateKycRow } from '#api/people/kyc/kyc.queries.ts'
import { insertWithdrawnPrice } from '#api/money/sale/withdrawn-price.queries.ts'

/* An import completes or proposes only orders as their members placed them, and its preview shows what they deliver. */

const started = await startApi({ ...staffDecides }, afterAll)
const { call, services } = started
const today = new Date().toISOString().slice(0, 10)
const [officer, colleague, third] = [await anOfficer(), await anOfficer(), await anOfficer()]
const member = await aSignedInMember(started)
const elsewhere = sampleTokenAddress('elsewhere')
const reason = 'As agreed.'

function anOfficer() {
  return aSignedInMember(started, { manage_finance: 2 })
}

let transactions = 0
const tx = () => `0x${(transactions += 1).toString(16).padStart(64, '0')}`

async function anUnpaid(fabQty: string | null = '60') {
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty, amount: '100', fabAddress: ownAddress }
  const { id, reference } = await anOrder(started, member.id, values)
  return { id, reference: shownReference(reference) }
}

const update = async (by: TestMember, id: string, body: object) =>
  (await call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })).body.status
const propose = (by: TestMember, id: string) => update(by, id, { status: 'completed', reason })
const stateOf = async (id: string) => {
  const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })
  return [body.order.status, body.paidAmount]
}

/** Imports the row as its preview shows it, and returns the effect, what held it back, and the result. */
async function importing(by: TestMember, row: string, mapping?: StatementMapping) {
  const head = mapping ? `Date,Amount,Purpose,Done,${tx()}` : 'reference,txId,amount,date,complete'
  const given = { file: Buffer.from(`${head}\n${row}\n`).toString('base64'), ...(mapping && { mapping }) }
  const shown = (await call(api.importOrderPayments, { body: given }, { token: by.token })).body
  const seen = shown.lines.map(({ id, updatedAt, effect }) => ({ id, updatedAt, effect }))
  const body = { ...given, seen, preview: shown.preview }
  const { body: done } = await call(api.importOrderPayments, { body }, { token: by.token })
  expect(done).toMatchObject({ state: 'applied', problems: [] })
  return shown.lines
}

test.each(['60', '60000'])(
  'the preview shows what an order of %s tokens that is completed or proposed delivers',
  async (fabQty) => {
    const { reference } = await anUnpaid(fabQty)
    expect(await importing(officer, `${reference},,100,${today},yes`)).toMatchObject([
      { effect: fabQty === '60' ? 'completes' : 'proposes', held: null, fabQty, addresses: [ownAddress] },
    ])
  },
)

const changes = [
  { fabAddress: elsewhere },
  { ethAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  { fabQty: '9000', confirmsQuantity: true },
  { fabQty: '90000', confirmsQuantity: true },
  { payMethod: 'Transfer', amount: '100', confirmsQuantity: true },
]

test.each(changes)('a colleague’s import only records the payment if an officer set %o', async (change) => {
  const { id, reference } = await anUnpaid()
  expect(await update(officer, id, { ...change, reason })).toBe('pending')
  const row = `${reference},,100,${today},yes`
  expect(await importing(colleague, row)).toMatchObject([
    { effect: 'records', held: 'changed_by_staff', ...('fabQty' in change && { fabQty: change.fabQty }) },
  ])
  expect(await stateOf(id)).toEqual(['pending', '100'])
})

test('a lowered amount due, or a first quantity that an officer set, holds the import too', async () => {
  const [cheap, open] = [await anUnpaid(), await anUnpaid(null)]
  await update(officer, cheap.id, { amount: '1', confirmsQuantity: true, reason })
  await update(officer, open.id, { fabQty: '9000', confirmsQuantity: true, reason })
  for (const [{ reference }, amount] of [
    [cheap, '1'],
    [open, '100'],
  ] as const)
    expect(await importing(colleague, `${reference},,${amount},${today},yes`)).toMatchObject([
      { effect: 'records', held: 'changed_by_staff' },
    ])
  expect([await stateOf(cheap.id), await stateOf(open.id)]).toEqual([
    ['pending', '1'],
    ['pending', '100'],
  ])
})

test('a mapped statement is held like our own format', async () => {
  const { id, reference } = await anUnpaid()
  await update(officer, id, { fabAddress: elsewhere, reason })
  const mapping: StatementMapping = {
    columns: { date: 0, amount: 1, reference: 2, complete: 3 },
    currency: 'EUR',
    numbers: 'point',
    dates: 'iso',
  }
  const day = new Date().toISOString().slice(0, 10)
  expect(await importing(colleague, `${day},100,${reference},yes,`, mapping)).toMatchObject([
    { effect: 'records', held: 'changed_by_staff', addresses: [elsewhere] },
  ])
  expect(await stateOf(id)).toEqual(['pending', '100'])
})

test('an import is never the second approval of a colleague’s proposal', async () => {
  const txId = tx()
  const { id, reference } = await anUnpaid('60000')
  await importing(colleague, `${reference},${txId},100,${today},`)
  expect(await propose(officer, id)).toBe('pending')
  expect(await importing(colleague, `${reference},${txId},100,${today},yes`)).toMatchObject([
    { effect: 'nothing', held: 'proposed' },
  ])
  expect(await stateOf(id)).toEqual(['pending', '100'])
  expect(await propose(colleague, id)).toBe('completed')
})

test('an import of an order that an officer changed is no first approval', async () => {
  const { id, reference } = await anUnpaid('60000')
  await update(officer, id, { fabQty: '90000', confirmsQuantity: true, reason })
  expect(await importing(colleague, `${reference},,100,${today},yes`)).toMatchObject([
    { effect: 'records', held: 'changed_by_staff' },
  ])
  expect(await propose(officer, id)).toBe('pending')
  expect(await propose(colleague, id)).toBe('completed')
})

test.each(['60', '60000'])(
  'a transaction that an officer entered records the payment of %s tokens, but completes nothing',
  async (fabQty) => {
    const txId = tx()
    const { id, reference } = await anUnpaid(fabQty)
    await update(officer, id, { txId })
    expect(await importing(colleague, `,${txId},100,${today},yes`)).toMatchObject([
      { effect: 'records', held: 'transaction_by_staff' },
    ])
    expect(await stateOf(id)).toEqual(['pending', '100'])
    // The payer named the order.
    const [again] = await importing(third, `${reference},${txId},100,${today},yes`)
    expect(again?.held).toBeNull()
  },
)

test.each([{ reason }, {}])('an order that an officer entered with %o is held', async (explained) => {
  const values = {
    memberId: member.id,
    payMethod: 'Bank',
    amount: '100',
    fabQty: '60',
    fabAddress: elsewhere,
  }
  const { body } = await call(
    api.createOrder,
    { body: { ...values, ...explained } },
    { token: officer.token },
  )
  expect(await importing(colleague, `${body.reference},,100,${today},yes`)).toMatchObject([
    { effect: 'records', held: 'changed_by_staff' },
  ])
  expect(await stateOf(body._id)).toEqual(['pending', '100'])
})

test('an order that an officer entered before this release, without a reason, is held', async () => {
  const values = {
    memberId: member.id,
    payMethod: 'Bank',
    amount: '100',
    fabQty: '60',
    fabAddress: elsewhere,
  }
  const { body } = await call(api.createOrder, { body: values }, { token: officer.token })
  await services.db.deleteFrom('order_step').where('order_id', '=', body._id).execute()
  expect(await importing(colleague, `${body.reference},,100,${today},yes`)).toMatchObject([
    { effect: 'records', held: 'changed_by_staff' },
  ])
})

test('an address that the member gave afterwards holds nothing', async () => {
  const { id, reference } = await anUnpaid()
  await update(officer, id, { fabAddress: '', reason })
  const body = { fabAddress: elsewhere }
  await call(api.setTokenAddress, { params: { id }, body }, { token: member.token })
  expect(await importing(colleague, `${reference},,100,${today},yes`)).toMatchObject([
    { effect: 'completes', held: null, addresses: [elsewhere] },
  ])
})

test('a change since the preview stops the import', async () => {
  const { id, reference } = await anUnpaid()
  const file = Buffer.from(`reference,txId,amount,date,complete\n${reference},,100,${today},yes\n`).toString(
    'base64',
  )
  const shown = (await call(api.importOrderPayments, { body: { file } }, { token: colleague.token })).body
  expect(shown.lines).toMatchObject([{ effect: 'completes' }])
  await update(officer, id, { fabAddress: elsewhere, reason })
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const done = await call(api.importOrderPayments, { body: { file, seen } }, { token: colleague.token })
  expect(done.body).toMatchObject({ state: 'changed', lines: [{ effect: 'records', isChanged: true }] })
  expect(await stateOf(id)).toEqual(['pending', null])
})

test('without four-eyes approval, one officer completes by an import what they changed', async () => {
  const { id, reference } = await anUnpaid()
  await update(officer, id, { fabQty: '70', confirmsQuantity: true, reason })
  const others = [colleague.id, third.id]
  await services.db.updateTable('member').set({ manage_finance: 0 }).where('id', 'in', others).execute()
  expect(await importing(officer, `${reference},,100,${today},yes`)).toMatchObject([
    { effect: 'completes', held: null, fabQty: '70' },
  ])
  await services.db.updateTable('member').set({ manage_finance: 2 }).where('id', 'in', others).execute()
})

/* What the chain monitor leaves to a person, an import leaves to a person too, with or without four-eyes approval. */

const bank = {
  code: 'BANK',
  chain: 'other' as const,
  currency: 'USD',
  receivingAddress: 'DE00 1234',
  decimals: 2,
}
const bankAt = (rate: string) => ({ ...bank, isOpen: true, rate, minAmount: '1', maxAmount: '100000' })

async function aBankOrder() {
  await aSale(started, { payMethods: [bankAt('1'), ...saleSettings().payMethods] })
  const buyer = await aSignedInMember(started)
  const kyc = await anApplication(started, buyer, 'approved')
  const { _id: id, reference } = await anOrderOf(started, buyer, 'BANK', '90')
  return { id, reference, buyer, kyc }
}
type BankOrder = Awaited<ReturnType<typeof aBankOrder>>

const dayBefore = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const causes: [string, (order: BankOrder) => Promise<unknown>][] = [
  ['identity_not_approved', ({ kyc }) => updateKycRow(services.db, kyc._id, { status: 'withdrawn' })],
  ['identity_not_approved', ({ kyc }) => updateKycRow(services.db, kyc._id, { status: 'expired' })],
  [
    'account_closed',
    async ({ buyer }) => {
      const employee = await aSignedInMember(started, { manage_employee: 2 })
      const request = { params: { id: buyer.id }, body: { active: false, reason } }
      expect((await call(api.setMemberActive, request, { token: employee.token })).status).toBe(200)
    },
  ],
  [
    'price_withdrawn',
    () =>
      insertWithdrawnPrice(services.db, {
        payMethod: 'BANK',
        rate: '1',
        from: minutesFromNow(-5),
        until: minutesFromNow(5),
        isProvisional: false,
      }),
  ],
  [
    'left_by_finance',
    async ({ id }) => {
      await update(colleague, id, { paidAmount: '90', reason })
      await update(colleague, id, { paidAmount: null, reason })
    },
  ],
  [
    'left_by_finance',
    async ({ reference }) => {
      const columns = { date: 0, amount: 1, reference: 2 }
      const mapping = { columns, currency: 'USD', numbers: 'point', dates: 'iso' } as const
      const text = `Date,Amount,Purpose,${tx()}\n${today},-90,Back ${reference}\n`
      const body = { file: Buffer.from(text).toString('base64'), mapping, seen: [] }
      await call(api.importOrderPayments, { body }, { token: third.token })
      const by = { token: colleague.token }
      const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, by)
      const { id } = lines.find((line) => line.reference.includes(reference))!
      const dismissal = { params: { id }, body: { reason } }
      expect((await call(api.dismissStatementLine, dismissal, by)).status).toBe(200)
    },
  ],
  [
    'paid_late',
    // A day later is today at noon, and a date without a time may be any time of that day.
    ({ id }) =>
      services.db
        .updateTable('token_order')
        .set({
          pay_before: new Date(`${dayBefore}T12:00:00Z`),
          created_at: new Date(`${dayBefore}T11:00:00Z`),
        })
        .where('id', '=', id)
        .execute(),
  ],
  [
    'paid_late',
    async ({ id, buyer }) => {
      const request = { params: { id }, body: { txId: 'My transfer of today' } }
      expect((await call(api.reportPayment, request, { token: buyer.token })).status).toBe(200)
      await moveDeadline(started, id, -3 * 86_400)
    },
  ],
]

test.each(causes)('an import only records the payment of an order with %s', async (held, happen) => {
  const order = await aBankOrder()
  await happen(order)
  expect(await importing(officer, `${order.reference},,90,${today},yes`)).toMatchObject([
    { effect: 'records', held },
  ])
  expect(await stateOf(order.id)).toEqual(['pending', '90'])
  await services.db.deleteFrom('withdrawn_price').execute()
})

test('an import completes an order that was paid in time at a lasting price', async () => {
  const order = await aBankOrder()
  expect(await importing(officer, `${order.reference},,90,${today},yes`)).toMatchObject([
    { effect: 'completes', held: null },
  ])
})

test('an import only records the payment of an order that was placed after a large price change', async () => {
  const { buyer } = await aBankOrder()
  const manager = await aSignedInMember(started, { manage_coins: 2 })
  const settings = saleSettings({ payMethods: [bankAt('9'), ...saleSettings().payMethods] })
  const body = { ...settings, confirmedRates: { BANK: '9' } }
  expect((await call(api.updateSaleSettings, { body }, { token: manager.token })).status).toBe(200)
  const { reference } = await anOrderOf(started, buyer, 'BANK', '90')
  expect(await importing(officer, `${reference},,90,${today},yes`)).toMatchObject([
    { effect: 'records', held: 'new_price' },
  ])
})

test('an import does not complete an order whose completion a colleague declined', async () => {
  const { id, reference } = await aBankOrder()
  await update(third, id, { txId: 'BANK 1' })
  await update(third, id, { txId: 'BANK 2', reason })
  expect(await update(third, id, { status: 'completed', paidAmount: '90', reason })).toBe('pending')
  const request = { params: { id }, body: { reason } }
  expect((await call(api.declineOrderCompletion, request, { token: colleague.token })).status).toBe(200)
  await importing(colleague, `${reference},BANK 2,90,${today},yes`)
  expect(await stateOf(id)).toEqual(['pending', '90'])
})
