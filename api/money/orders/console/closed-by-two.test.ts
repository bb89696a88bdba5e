import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { ownAddress } from '#tests/own-chain.ts'

import { enforceDeadlines } from '../deadline-worker.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call } = started
const [first, second] = [await anOfficer(), await anOfficer()]

function anOfficer() {
  return aSignedInMember(started, { manage_finance: 2 })
}

async function anOrderFor(fabQty: string) {
  const { id } = await aSignedInMember(started)
  return anOrder(started, id, { fabQty, email: 'buyer@example.org' })
}

const change = (by: TestMember, id: string, body: object) => updatePaid(started, { _id: id, ...body }, by)
const complete = (by: TestMember, id: string) => change(by, id, { status: 'completed' })
const read = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: first.token })).body

const auditOf = async (id: string) =>
  (
    await started.services.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_id', 'detail'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action.startsWith('order-correction') || action === 'order-updated')

async function aCompleted(fabQty = '10') {
  const row = await anOrderFor(fabQty)
  await complete(first, row.id)
  if (fabQty === '60000') await complete(second, row.id)
  return row.id
}
const reason = 'As the member wrote.'

test.each([
  ['fabAddress', ownAddress, '10'],
  ['ethAddress', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '10'],
  ['btcAddress', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '60000'],
  ['fabQty', '9000000', '10'],
] as const)(
  'changes %s of a completed order only once another officer approves it',
  async (field, value, of) => {
    const id = await aCompleted(of)
    const before = (await read(id)).order
    const fields = { [field]: value }
    expect((await change(first, id, fields)).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    expect((await change(first, id, { ...fields, reason })).status).toBe(200)
    const proposed = await read(id)
    expect({ ...proposed.order, updatedAt: '' }).toEqual({ ...before, updatedAt: '' })
    const changes = [{ field, before: field === 'fabQty' ? of : null, after: value }]
    expect(proposed.proposal).toMatchObject({ by: { id: first.id }, counts: true, correction: changes })
    expect((await change(first, id, { ...fields, reason })).problem).toMatchObject({
      code: 'conflict',
      errors: [{ path: field, code: 'second_person' }],
    })
    expect((await change(second, id, fields)).status).toBe(200)
    const done = await read(id)
    expect(done.order).toMatchObject({
      [field === 'fabQty' ? 'exactFabQty' : field]: value,
      status: 'completed',
    })
    expect(done.proposal).toBeNull()
    expect(done.steps.slice(-2)).toMatchObject([
      { kind: 'correction_proposed', by: { id: first.id }, reason, changes },
      { kind: 'corrected', by: { id: second.id }, reason, changes },
    ])
    const line = `${field}: ${changes[0]!.before ?? '–'} → ${value}`
    expect((await auditOf(id)).slice(-2)).toMatchObject([
      { action: 'order-correction-proposed', actor_id: first.id, detail: { changes: [line] } },
      { action: 'order-updated', actor_id: second.id, detail: { changes: [line] } },
    ])
  },
)

test('replaces a proposed correction when the second officer sends other values', async () => {
  const id = await aCompleted()
  await change(first, id, { fabQty: '20', reason })
  expect((await change(second, id, { fabQty: '30', reason })).body.exactFabQty).toBe('10')
  expect((await read(id)).proposal).toMatchObject({ by: { id: second.id } })
  expect((await change(second, id, { fabQty: '20', reason })).body.exactFabQty).toBe('10')
  expect((await change(first, id, { fabQty: '20' })).body.exactFabQty).toBe('20')
})

test('ends a proposed correction when the order changes, is declined, or three days pass', async () => {
  const [changed, declined, expired] = [await aCompleted(), await aCompleted(), await aCompleted()]
  for (const id of [changed, declined, expired]) await change(first, id, { fabQty: '20', reason })
  await change(second, changed, { email: 'other@example.org', reason: 'As asked.' })
  const body = { reason: 'Not what was agreed.' }
  expect(
    (await call(api.declineOrderCompletion, { params: { id: declined }, body }, { token: second.token }))
      .status,
  ).toBe(200)
  await started.services.db
    .updateTable('token_order')
    .set({ completion_proposed_at: new Date(Date.now() - 3 * DAY) })
    .where('id', '=', expired)
    .execute()
  for (const id of [changed, declined, expired]) {
    expect((await change(second, id, { fabQty: '20', reason })).body.exactFabQty).toBe('10')
    expect((await read(id)).proposal).toMatchObject({ by: { id: second.id } })
  }
  await started.services.db
    .updateTable('token_order')
    .set({ completion_proposed_at: new Date(Date.now() - 3 * DAY) })
    .where('id', '=', expired)
    .execute()
  await enforceDeadlines(started.services)
  expect(await read(expired)).toMatchObject({ proposal: null, order: { status: 'completed' } })
})

test('lets neither the owner nor one officer twice approve a correction, even at once', async () => {
  const { id } = await anOrder(started, second.id, { fabQty: '10' })
  await complete(first, id)
  await change(first, id, { fabQty: '20', reason })
  expect((await change(second, id, { fabQty: '20', reason })).problem.code).toBe('forbidden')
  const other = await aCompleted()
  const answers = await Promise.all([1, 2].map(() => change(first, other, { fabQty: '20', reason })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await read(other)).order.exactFabQty).toBe('10')
})

test('accepts nothing else together with a correction that needs two approvals', async () => {
  const id = await aCompleted()
  const mixed = await change(first, id, { fabQty: '20', paidAmount: '3', payMethod: 'BTC', reason })
  expect(mixed.problem.errors).toMatchObject([
    { path: 'payMethod', code: 'separately' },
    { path: 'paidAmount', code: 'separately' },
  ])
})

test('checks the addresses of a correction like those of members', async () => {
  const pending = (await anOrderFor('10')).id
  for (const id of [pending, await aCompleted()])
    for (const field of ['fabAddress', 'ethAddress', 'btcAddress'])
      expect((await change(first, id, { [field]: '0xnotanaddress', reason })).problem.errors).toMatchObject([
        { path: field, code: expect.stringContaining('address') },
      ])
})

test.each([
  { ethAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  { btcAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
])(
  'the refund address of a canceled order is set or corrected with a reason visible to the member: %j',
  async (fields) => {
    const { id: memberId, email } = await aSignedInMember(started)
    const { id } = await anOrder(started, memberId, { fabQty: '60000' })
    await change(first, id, { status: 'cancelled' })
    expect((await change(second, id, fields)).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    expect(await change(second, id, { ...fields, reason: 'As the member wrote.' })).toMatchObject({
      status: 200,
      body: fields,
    })
    const mail = (await started.mailsTo(email)).at(-1)!
    expect(mail.kind).toBe('order-corrected')
    expect(mail.text).toContain(`– → ${Object.values(fields)[0]}`)
    expect(mail.text).toContain('As the member wrote.')
  },
)

test('changing the received amount of a completed order needs two approvals, recorded before or not', async () => {
  const { id } = await anOrder(started, (await aSignedInMember(started)).id, { fabQty: '10' })
  await updatePaid(started, { _id: id, status: 'completed' }, first)
  const update = (by: TestMember, body: object) =>
    call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
  const read = async () => (await call(api.getConsoleOrder, { params: { id } }, { token: first.token })).body
  const paidAt = '2026-01-05T00:00:00.000Z'
  for (const [change, before, after] of [
    [{ paidAmount: '150', paidAt }, '1.5', '150'],
    [{ paidAmount: null, paidAt: null }, '150', null],
    [{ paidAmount: '2' }, null, '2'],
  ] as const) {
    expect((await update(first, { ...change, reason: 'Counted again.' })).status).toBe(200)
    const proposed = await read()
    expect(proposed.paidAmount).toBe(before)
    expect(proposed.proposal?.correction).toContainEqual({ field: 'paidAmount', before, after })
    expect((await update(first, change)).problem.errors).toContainEqual(
      expect.objectContaining({ path: 'paidAmount', code: 'second_person' }),
    )
    expect((await update(second, change)).status).toBe(200)
    const changed = await read()
    expect(changed).toMatchObject({ paidAmount: after, proposal: null })
    expect(changed.steps.at(-1)?.changes).toContainEqual({ field: 'paidAmount', before, after })
  }
  for (const change of [{ amount: '3' }, { payMethod: 'BTC' }]) {
    await update(first, { ...change, confirmsQuantity: true, reason: 'As agreed.' })
    expect((await read()).order).toMatchObject({ exactAmount: '1.5', payMethod: 'ETH' })
  }
})
