import { afterAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { PayoutDetail } from '#contract/money/payouts.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { anExportedRun, aRun, confirm, officers, readRun, record } from '#tests/payouts.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { aWebhook } from '#tests/webhooks.ts'

/* Officers record the transactions that the wallet made, and confirm them once the network has them. */

const on = await startApi({}, afterAll)
const [one, two] = await officers(on, 2)
const { db } = on.services
const txId = () => crypto.randomUUID().replaceAll('-', '').repeat(2)
type Items = [PayoutDetail['list'][0], PayoutDetail['list'][0]]

test('transactions are recorded by reference, and what doesn’t match is named', async () => {
  const run = await anExportedRun(on, one, 2)
  const [first, second] = run.list as Items
  const id = txId()
  const { body } = await record(on, one, run.id, [
    { reference: ` ${first.reference.toLowerCase()} `, txId: id.toUpperCase() },
    { reference: first.reference, txId: id },
    { reference: 'NOSUCHONE', txId: id },
    { reference: second.reference, txId: 'no transaction' },
  ])
  expect(body.lines.map(({ problem }) => problem)).toEqual([null, 'repeated', 'unknown', 'tx_id'])
  const detail = await readRun(on, one, run.id)
  expect(detail).toMatchObject({ state: 'partly_sent', sent: 1, confirmed: 0 })
  expect(detail.list[0]).toMatchObject({ state: 'sent', txId: id, sentBy: { id: one.id }, confirmedBy: null })
})

test('one transaction pays several deliveries of a run, and is replaced until they are confirmed', async () => {
  const run = await anExportedRun(on, one, 2)
  const lines = (id: string) => run.list.map(({ reference }) => ({ reference, txId: id }))
  const [wrong, right] = [txId(), txId()]
  await record(on, one, run.id, lines(wrong))
  await record(on, two, run.id, lines(right))
  const { list } = await readRun(on, one, run.id)
  expect(list.map((item) => [item.txId, item.sentBy?.id])).toEqual([
    [right, two.id],
    [right, two.id],
  ])
  // What was recorded by mistake can be recorded where it belongs.
  const other = await anExportedRun(on, one)
  const [line] = (await record(on, one, other.id, [{ reference: other.list[0]!.reference, txId: wrong }]))
    .body.lines
  expect(line).toMatchObject({ isDone: true })
})

test('a transaction of another run is refused', async () => {
  const [first, second] = [await anExportedRun(on, one), await anExportedRun(on, one)]
  const id = txId()
  await record(on, one, first.id, [{ reference: first.list[0]!.reference, txId: id }])
  const { body } = await record(on, one, second.id, [{ reference: second.list[0]!.reference, txId: id }])
  expect(body.lines).toMatchObject([{ isDone: false, problem: 'other_run' }])
  expect((await readRun(on, one, second.id)).state).toBe('exported')
})

test('nothing is recorded before the export', async () => {
  const run = await aRun(on, one)
  const lines = [{ reference: run.list[0]!.reference, txId: txId() }]
  expect((await record(on, one, run.id, lines)).status).toBe(409)
  expect((await record(on, one, 'unknown', lines)).status).toBe(404)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await record(on, reader, run.id, lines)).status).toBe(403)
})

test('a confirmed delivery names who confirmed it, is emailed to its member, and ends the run', async () => {
  const run = await anExportedRun(on, one)
  const [{ reference, deliveryId, memberEmail, address }] = run.list as Items
  expect((await confirm(on, two, run.id, [deliveryId])).status).toBe(409)
  const id = txId()
  await record(on, one, run.id, [{ reference, txId: id }])
  const { body } = await confirm(on, two, run.id, [deliveryId])
  expect(body).toMatchObject({
    state: 'done',
    confirmed: 1,
    explorer: expect.stringMatching(/^https:.*[^/]$/),
    list: [{ state: 'confirmed', sentBy: { id: one.id }, confirmedBy: { id: two.id } }],
  })
  const mail = (await on.mailsTo(memberEmail)).find(({ kind }) => kind === 'order-delivery-confirmed')
  expect(mail?.text).toContain(address)
  expect(mail?.text).toContain(id)
  const [line] = (await record(on, one, run.id, [{ reference, txId: txId() }])).body.lines
  expect(line?.problem).toBe('confirmed')
  expect((await confirm(on, two, run.id, [deliveryId])).status).toBe(409)
  await expect(
    sql`update payout_item set confirmed_at = null, confirmed_by = null where run_id = ${run.id}`.execute(db),
  ).rejects.toThrow('a confirmed payout item never changes')
})

test('the email of a first delivery says what is still to be delivered', async () => {
  const run = await anExportedRun(on, one)
  const [{ reference, deliveryId, memberEmail, orderId }] = run.list as Items
  await db
    .insertInto('delivery')
    .values({ order_id: orderId, tranche: 2, amount: '0.00000007', due_at: new Date() })
    .execute()
  await record(on, one, run.id, [{ reference, txId: txId() }])
  await confirm(on, one, run.id, [deliveryId])
  const mail = (await on.mailsTo(memberEmail)).find(({ kind }) => kind === 'order-delivery-confirmed')
  expect(mail?.text).toContain('0.00000007')
})

test('confirming needs finance level 2 and recent authentication', async () => {
  const run = await anExportedRun(on, one)
  const [{ reference, deliveryId }] = run.list as Items
  await record(on, one, run.id, [{ reference, txId: txId() }])
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await confirm(on, reader, run.id, [deliveryId])).status).toBe(403)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await confirm(on, late, run.id, [deliveryId])).problem.code).toBe('step_up_required')
  expect((await confirm(on, one, run.id, [deliveryId, 'unknown'])).status).toBe(409)
  expect((await confirm(on, one, 'unknown', [deliveryId])).status).toBe(404)
  const own = await aSignedInMember(on, { manage_finance: 2 })
  await sql`update token_order set member_id = ${own.id} where id = ${run.list[0]!.orderId}`.execute(db)
  expect((await confirm(on, own, run.id, [deliveryId])).status).toBe(403)
})

test('each change of a delivery is announced once', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
  const [officer] = await officers(started, 1)
  const run = await anExportedRun(started, officer)
  const [{ reference, deliveryId }] = run.list as Items
  await aWebhook(started, admin, 'https://hooks.example.com/in', ['delivery.changed', 'payout.changed'])
  const id = txId()
  for (let n = 0; n < 2; n++) await record(started, officer, run.id, [{ reference, txId: id }])
  await confirm(started, officer, run.id, [deliveryId])
  const rows = await started.services.db.selectFrom('webhook_event').select('data').execute()
  const told = rows.map(({ data }) => data as Record<string, unknown>)
  expect(told.map(({ state, txId: told }) => [state, told])).toEqual([
    ['sent', id],
    ['confirmed', id],
    ['done', undefined],
  ])
})
