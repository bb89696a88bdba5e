import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { bulkRowsMax, type BulkOutcome } from '#contract/platform/bulk.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const [finance, other] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]

type Row = { id: string; version: string; basis?: string }

async function placed(): Promise<{ member: TestMember; row: Row }> {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  return { member, row: { id: order._id, version: order.updatedAt } }
}

type Given = { isPreview?: boolean; reason?: string; by?: TestMember; key?: string }

const cancel = (rows: Row[], { isPreview = false, reason = '', by = finance, key }: Given = {}) =>
  call(
    api.cancelOrders,
    { body: { isPreview, rows, reason } },
    { token: by.token, ...(key && { headers: { 'idempotency-key': key } }) },
  )

/** The rows with what the preview says that canceling them depends on. */
async function previewed(rows: Row[], given: Given = {}): Promise<Row[]> {
  const { body } = await cancel(rows, { ...given, isPreview: true })
  return rows.map((row, at) => ({ ...row, basis: body.rows[at]!.basis ?? '' }))
}

const shortOf = (rows: readonly BulkOutcome[]) => rows.map(({ isDone, code }) => (isDone ? 'done' : code))
const statusOf = async ({ id }: Row) =>
  (
    await services.db
      .selectFrom('token_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status
const auditOf = ({ id }: Row) =>
  services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', id)
    .where('actor_id', 'in', [finance.id, other.id])
    .execute()
const stepsOf = ({ id }: Row) =>
  services.db
    .selectFrom('order_step')
    .select(['kind', 'reason', 'by_member_id'])
    .where('order_id', '=', id)
    .where('kind', '=', 'cancelled')
    .execute()

test('a preview says what would happen to each row, and changes and sends nothing', async () => {
  const [first, closed] = [await placed(), await placed()]
  await call(api.updateOrder, { body: { _id: closed.row.id, status: 'cancelled' } }, { token: other.token })
  const outdated = await placed()
  const own = await anOrder(started, finance.id)
  const rows = [
    first.row,
    closed.row,
    { ...outdated.row, version: '2020-01-01T00:00:00.000Z' },
    { id: own.id, version: own.updated_at.toISOString() },
    { id: randomUUID(), version: first.row.version },
  ]
  const { body } = await cancel(rows, { isPreview: true })
  expect(shortOf(body.rows)).toEqual(['done', 'conflict', 'conflict', 'forbidden', 'not_found'])
  expect(body.rows[0]!.basis).toBe('nothing')
  expect(body.rows[3]!.reason).not.toBe('')
  expect(await statusOf(first.row)).toBe('pending')
  expect(await auditOf(first.row)).toEqual([])
  expect(await orderMailsTo(started, first.member)).toEqual(['order-placed'])
})

test('cancels each order like the single action, with its email, step, and audit log entry', async () => {
  const all = [await placed(), await placed()]
  const rows = await previewed(all.map(({ row }) => row))
  const { body } = await cancel(rows, { reason: 'The sale was stopped.' })
  expect(shortOf(body.rows)).toEqual(['done', 'done'])
  for (const { row, member } of all) {
    expect(await statusOf(row)).toBe('cancelled')
    expect(await stepsOf(row)).toEqual([
      { kind: 'cancelled', reason: 'The sale was stopped.', by_member_id: finance.id },
    ])
    expect(await auditOf(row)).toEqual([{ action: 'order-updated', actor_id: finance.id }])
    expect((await orderMailsTo(started, member)).at(-1)).toBe('order-cancelled')
  }
})

test('a repeated request with the same key answers the same and does nothing twice', async () => {
  const { row, member } = await placed()
  const rows = await previewed([row])
  const first = await cancel(rows, { key: 'again' })
  expect((await cancel(rows, { key: 'again' })).body).toEqual(first.body)
  expect(shortOf((await cancel(rows)).body.rows)).toEqual(['conflict'])
  expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-cancelled')).toHaveLength(1)
})

test('of two officers who cancel the same orders at once, each order is canceled by exactly one', async () => {
  const all = [await placed(), await placed(), await placed()]
  const rows = await previewed(all.map(({ row }) => row))
  const answers = await Promise.all([cancel(rows), cancel(rows.toReversed(), { by: other })])
  const [one, two] = [answers[0].body.rows, answers[1].body.rows.toReversed()]
  for (const [at, { row, member }] of all.entries()) {
    expect([one[at]!.isDone, two[at]!.isDone].toSorted()).toEqual([false, true])
    expect(await stepsOf(row)).toHaveLength(1)
    expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-cancelled')).toHaveLength(1)
  }
})

test('an order paid after the preview is not canceled, however the payment became known', async () => {
  const [reported, recorded, unknown] = [await placed(), await placed(), await placed()]
  const rows = await previewed([reported.row, recorded.row, unknown.row])
  await call(
    api.reportPayment,
    { params: { id: reported.row.id }, body: { txId: randomBytes(32).toString('hex') } },
    { token: reported.member.token },
  )
  await call(
    api.updateOrder,
    { body: { _id: recorded.row.id, paidAmount: '0.5', reason: 'In the account.' } },
    { token: other.token },
  )
  // What the chain monitor records doesn't change the version of the order.
  await services.db
    .insertInto('chain_payment')
    .values({ order_id: unknown.row.id, coin: 'BTC', state: 'paid', received: '0.5' })
    .execute()
  const { body } = await cancel(rows, { reason: 'Not paid.' })
  expect(shortOf(body.rows)).toEqual(['conflict', 'conflict', 'conflict'])
  for (const row of rows) expect(await statusOf(row)).toBe('pending')
})

test('a row without the basis of a preview is not canceled', async () => {
  const { row } = await placed()
  expect(shortOf((await cancel([row])).body.rows)).toEqual(['conflict'])
  expect(await statusOf(row)).toBe('pending')
})

test('refuses what the single action refuses: a paid order without a reason, and a large one at all', async () => {
  const [small, large] = [await placed(), await placed()]
  await services.db
    .updateTable('token_order')
    .set({ paid_amount: '0.5' })
    .where('id', 'in', [small.row.id, large.row.id])
    .execute()
  await services.db
    .updateTable('token_order')
    .set({ fab_qty: '90000000' })
    .where('id', '=', large.row.id)
    .execute()
  services.config.twoPersonsFrom = '1000000'
  const rows = [small.row, large.row]
  const seen = await cancel(rows, { isPreview: true })
  expect(seen.body.rows.map(({ reason }) => reason)).toEqual([
    'This field is required',
    expect.stringContaining('a payment was received'),
  ])
  const based = rows.map((row, at) => ({ ...row, basis: ['paid', 'withdrawal'][at]! }))
  const { body } = await cancel(based, { reason: 'Agreed by phone.' })
  expect(body.rows.map(({ isDone }) => isDone)).toEqual([true, false])
  expect((await orderMailsTo(started, small.member)).at(-1)).toBe('order-cancelled-paid')
  expect(await statusOf(large.row)).toBe('pending')
})

test('says that a dispute must be resolved first', async () => {
  const { row } = await placed()
  await services.db.updateTable('token_order').set({ is_disputed: true }).where('id', '=', row.id).execute()
  const { body } = await cancel([row], { isPreview: true, reason: 'Agreed.' })
  expect(body.rows[0]).toMatchObject({ isDone: false, code: 'conflict', field: 'disputed' })
})

test('asks for step-up authentication once, before anything is done, and not for a preview', async () => {
  const { row } = await placed()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await letProofAge(started, officer)
  const rows = await previewed([row], { by: officer })
  expect(rows[0]!.basis).toBe('nothing')
  expect((await cancel(rows, { by: officer })).problem.code).toBe('step_up_required')
  expect(await statusOf(row)).toBe('pending')
})

test('logs the attempt to cancel an own order, as the single action does', async () => {
  const own = await anOrder(started, finance.id)
  const row = { id: own.id, version: own.updated_at.toISOString(), basis: 'nothing' }
  await cancel([row], { isPreview: true })
  expect(await auditOf(row)).toEqual([])
  expect(shortOf((await cancel([row])).body.rows)).toEqual(['forbidden'])
  expect(await auditOf(row)).toEqual([{ action: 'order-own-refused', actor_id: finance.id }])
})

test('extends several deadlines to one time, and no expired or closed order', async () => {
  const [first, second] = [await placed(), await placed()]
  const payBefore = new Date(Date.now() + 72 * HOUR).toISOString()
  const extend = (rows: Row[], isPreview: boolean) =>
    call(
      api.extendOrderDeadlines,
      { body: { isPreview, rows, payBefore, reason: 'A bank holiday.' } },
      { token: finance.token },
    )
  const rows = [first.row, { ...second.row, version: '2020-01-01T00:00:00.000Z' }]
  expect(shortOf((await extend(rows, true)).body.rows)).toEqual(['done', 'conflict'])
  expect(shortOf((await extend(rows, false)).body.rows)).toEqual(['done', 'conflict'])
  const { body } = await call(api.getOrder, { params: { id: first.row.id } }, { token: finance.token })
  expect(body.payBefore).toBe(payBefore)
  expect((await orderMailsTo(started, first.member)).at(-1)).toBe('order-deadline-extended')
  expect((await orderMailsTo(started, second.member)).at(-1)).toBe('order-placed')
})

test('the preview says why the deadline of a paid order can’t be extended', async () => {
  const { row, member } = await placed()
  const paid = { _id: row.id, paidAmount: '0.5', reason: 'Seen.' }
  const { body } = await call(api.updateOrder, { body: paid }, { token: finance.token })
  const rows = [{ id: row.id, version: body.updatedAt }]
  for (const isPreview of [true, false]) {
    const payBefore = new Date(Date.now() + 72 * HOUR).toISOString()
    const request = { body: { isPreview, rows, payBefore, reason: 'A bank holiday.' } }
    const extended = await call(api.extendOrderDeadlines, request, { token: finance.token })
    expect(extended.body.rows).toMatchObject([
      { isDone: false, code: 'conflict', field: 'payBefore', reason: expect.stringContaining('recorded') },
    ])
  }
  expect(await orderMailsTo(started, member)).not.toContain('order-deadline-extended')
})

test('accepts up to 100 rows in one request, and only from finance', async () => {
  const rows = Array.from({ length: bulkRowsMax + 1 }, () => ({ id: randomUUID(), version: '' }))
  expect((await cancel(rows)).problem.code).toBe('validation_failed')
  expect((await cancel([])).problem.code).toBe('validation_failed')
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  expect((await cancel(rows.slice(1), { by: reader })).problem.code).toBe('forbidden')
})

test('the list and its file can be narrowed to the selected orders', async () => {
  const [first, second] = [await placed(), await placed()]
  await placed()
  const query = { ids: `${first.row.id},${second.row.id}` }
  const { body } = await call(api.listConsoleOrders, { query }, { token: finance.token })
  expect(body.map(({ id }) => id).toSorted()).toEqual([first.row.id, second.row.id].toSorted())
  const file = await call(api.exportConsoleOrders, { query }, { token: finance.token })
  expect(String(file.body).trim().split('\n')).toHaveLength(3)
})
