import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { recordFourEyesNow } from '../../people/four-eyes/record-changes.ts'

/* Officers who did more with a pending order than record its payment can't complete it alone. */

const started = await startApi({ ...staffDecides }, afterAll)
const { call, services, mailsTo } = started
const today = new Date().toISOString().slice(0, 10)
let officer: TestMember
let colleague: TestMember
let member: TestMember
let id: string

beforeEach(async () => {
  await services.db.updateTable('member').set({ manage_finance: 0 }).execute()
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
  member = await aSignedInMember(started)
  id = (await anOrder(started, member.id, { fabQty: '60', paidAmount: '1.5', fabAddress: ownAddress })).id
})

const update = (by: TestMember, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const complete = async (by: TestMember) => (await update(by, { status: 'completed', reason: 'Paid.' })).body
const read = async (by: TestMember) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: by.token })).body

async function importFile(csv: string) {
  const body = { file: Buffer.from(csv).toString('base64') }
  const { body: plan } = await call(api.importOrderPayments, { body }, { token: officer.token })
  const applied = { ...body, seen: plan.lines.map(({ id, updatedAt }) => ({ id, updatedAt })) }
  await call(api.importOrderPayments, { body: applied }, { token: officer.token })
  return plan.lines
}

const elsewhere = sampleTokenAddress('elsewhere')
const reason = 'As the member wrote.'
const changes = [
  { fabAddress: elsewhere },
  { ethAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  { btcAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
  { fabQty: '70', confirmsQuantity: true },
  { amount: '1.4', confirmsQuantity: true },
]

test.each(changes)('the officer who changed %o needs a colleague to complete the order', async (change) => {
  expect((await update(officer, { ...change, reason })).status).toBe(200)
  expect(await read(officer)).toMatchObject({ takesTwo: true, secondPersonCause: 'own_change' })
  expect(await read(colleague)).toMatchObject({ takesTwo: false, secondPersonCause: null })
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(colleague)).status).toBe('completed')
})

test('a colleague completes it alone', async () => {
  await update(officer, { fabAddress: elsewhere, reason })
  expect((await complete(colleague)).status).toBe('completed')
})

test('restoring the value, or a colleague who changes it too, does not lift the rule', async () => {
  await update(officer, { fabAddress: elsewhere, reason })
  await update(colleague, { fabAddress: ownAddress, reason })
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(officer)).status).not.toBe('completed')
})

test('an address that the member gives afterwards is the member’s own', async () => {
  await update(officer, { fabAddress: '', reason })
  const given = await call(
    api.setTokenAddress,
    { params: { id }, body: { fabAddress: elsewhere } },
    { token: member.token },
  )
  expect(given.status).toBe(200)
  expect((await complete(officer)).status).toBe('completed')
})

test('the officer who entered the order needs a colleague to complete it', async () => {
  const entered = {
    memberId: member.id,
    fabQty: '60',
    amount: '1.5',
    payMethod: 'ETH',
    fabAddress: ownAddress,
  }
  id = (await call(api.createOrder, { body: entered }, { token: officer.token })).body._id
  expect((await mailsTo(member.email)).at(-1)?.text).toContain(ownAddress)
  await update(colleague, { paidAmount: '1.5' })
  expect(await read(officer)).toMatchObject({ secondPersonCause: 'own_change' })
  expect(await read(colleague)).toMatchObject({ secondPersonCause: null })
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(colleague)).status).toBe('completed')
})

test('the officer who changed the payment method needs a colleague to complete the order', async () => {
  await update(colleague, { paidAmount: null, reason })
  expect((await update(officer, { payMethod: 'USDT', confirmsQuantity: true, reason })).status).toBe(200)
  await update(colleague, { paidAmount: '1.5' })
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(colleague)).status).toBe('completed')
})

test('the officer who dismissed a line about the order needs a colleague to complete it', async () => {
  const { order } = await read(officer)
  await importFile(`reference,txId,amount,date,complete\n${order.reference},,-1.5,${today},\n`)
  const [line] = (await call(api.listStatementLines, { query: {} }, { token: officer.token })).body
  expect((await update(officer, { status: 'completed' })).problem.code).toBe('conflict')
  await call(
    api.dismissStatementLine,
    { params: { id: line!.id }, body: { reason } },
    { token: officer.token },
  )
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(colleague)).status).toBe('completed')
})

test('the officer who replaced the transaction or lowered the amount received needs a colleague', async () => {
  expect((await update(colleague, { paidAmount: '1.6' })).status).toBe(200)
  expect((await update(officer, { paidAmount: '1.5', reason })).status).toBe(200)
  expect(await read(officer)).toMatchObject({ secondPersonCause: 'own_change' })
  expect(await read(colleague)).toMatchObject({ secondPersonCause: null })
  id = (await anOrder(started, member.id, { fabQty: '60', txId: `0x${'cd'.repeat(32)}` })).id
  expect((await update(officer, { txId: `0x${'ef'.repeat(32)}`, reason })).status).toBe(200)
  expect((await update(officer, { paidAmount: '1.5' })).status).toBe(200)
  expect((await complete(officer)).status).toBe('pending')
  expect((await complete(colleague)).status).toBe('completed')
})

test('the officer who lowers the amount received while completing needs a colleague', async () => {
  const lowered = await update(officer, { status: 'completed', paidAmount: '1.4', reason })
  expect(lowered.body.status).toBe('pending')
})

test('other changes still take one person', async () => {
  await update(officer, { email: 'other@example.org', reason })
  expect(await read(officer)).toMatchObject({ secondPersonCause: null })
})

test('a first quantity that no price can be compared with takes two persons', async () => {
  const open = await anOrder(started, member.id, { paidAmount: '1.5' })
  const first = await call(
    api.updateOrder,
    { body: { _id: open.id, fabQty: '60', status: 'completed', reason: 'Paid.' } },
    { token: officer.token },
  )
  expect(first.body.status).toBe('pending')
})

test('a single officer still completes what they changed', async () => {
  await services.db.updateTable('member').set({ manage_finance: 0 }).where('id', '=', colleague.id).execute()
  await update(officer, { fabAddress: elsewhere, reason })
  expect((await complete(officer)).status).toBe('completed')
})

test('an import only records its payment', async () => {
  await update(officer, { fabAddress: elsewhere, reason })
  const { order } = await read(officer)
  const csv = `reference,txId,amount,date,complete\n${order.reference},${'0x'.padEnd(66, '7')},1.5,${today},yes\n`
  expect(await importFile(csv)).toMatchObject([{ effect: 'records', held: 'changed_by_staff' }])
  expect((await read(officer)).order.status).toBe('pending')
})

test('records that four-eyes approval is off when one officer corrects a completed order alone', async () => {
  const order = await anOrder(started, member.id, { amount: '100', fabQty: '9000' })
  const correct = (body: object) =>
    call(api.updateOrder, { body: { _id: order.id, ...body } }, { token: officer.token })
  await correct({ status: 'completed', paidAmount: '100', reason: 'Seen.' })
  await recordFourEyesNow(services)
  const countOff = async () =>
    (await services.db.selectFrom('audit_entry').select('id').where('action', '=', 'four-eyes-off').execute())
      .length
  const before = await countOff()
  const setRight = (level: number) =>
    services.db.updateTable('member').set({ manage_finance: level }).where('id', '=', colleague.id).execute()
  await setRight(1)
  expect((await correct({ paidAmount: '100000', reason: 'More.' })).status).toBe(200)
  await setRight(2)
  await recordFourEyesNow(services)
  expect(await countOff()).toBeGreaterThan(before)
})
