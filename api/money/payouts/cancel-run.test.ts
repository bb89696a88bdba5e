import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import {
  anExportedRun,
  aRun,
  cancel,
  confirm,
  exportFile,
  freeze,
  nothingSent,
  officers,
  readRun,
  record,
  secondPerson,
} from '#tests/payouts.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { aWebhook } from '#tests/webhooks.ts'

/* A canceled run frees its deliveries, unless something may have been sent. */

const on = await startApi({}, afterAll)
const [one, two] = await officers(on, 2)
const { db } = on.services
const txId = () => crypto.randomUUID().replaceAll('-', '').repeat(2)

test('one officer cancels a run that wasn’t exported, and its deliveries are free again', async () => {
  const run = await aRun(on, one)
  expect((await cancel(on, one, run.id)).body).toMatchObject({
    state: 'cancelled',
    cancelReason: nothingSent,
    cancelledBy: { id: one.id },
    list: [{ state: 'released' }],
  })
  expect((await exportFile(on, one, run.id)).status).toBe(409)
  expect((await cancel(on, one, run.id)).status).toBe(409)
  expect((await freeze(on, one, [run.list[0]!.deliveryId], '100')).status).toBe(201)
})

test('canceling needs finance level 2, a reason, and recent authentication', async () => {
  const run = await aRun(on, one)
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await cancel(on, reader, run.id)).status).toBe(403)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await cancel(on, late, run.id)).problem.code).toBe('step_up_required')
  expect((await cancel(on, one, 'unknown')).status).toBe(404)
  // Before the export, there is nothing to take out of it.
  expect((await cancel(on, one, run.id, [run.list[0]!.deliveryId])).status).toBe(409)
})

test('two officers cancel an exported run', async () => {
  const run = await anExportedRun(on, one)
  const proposed = (await cancel(on, one, run.id)).body
  expect(proposed).toMatchObject({
    state: 'exported',
    proposal: { by: { id: one.id }, reason: nothingSent, counts: true },
  })
  expect((await cancel(on, one, run.id)).problem.errors).toMatchObject(secondPerson('reason'))
  expect((await cancel(on, two, run.id)).body).toMatchObject({
    state: 'cancelled',
    cancelReason: nothingSent,
  })
  expect((await on.mailsTo(two.email)).map(({ kind }) => kind)).toContain('staff-order-payout-cancel')
})

test('a proposal counts no more once its officer lost the right', async () => {
  const [third] = await officers(on, 1)
  const run = await anExportedRun(on, one)
  await cancel(on, third, run.id)
  await updateMemberRow(db, third.id, { manage_finance: 0 })
  const { proposal } = (await cancel(on, two, run.id)).body
  expect(proposal).toMatchObject({ by: { id: two.id }, counts: true })
  expect((await cancel(on, one, run.id)).body.state).toBe('cancelled')
})

test('two officers cancel a part of an exported run, which then has no more files', async () => {
  const run = await anExportedRun(on, one, 2)
  const part = [run.list[1]!.deliveryId]
  await cancel(on, one, run.id, part)
  const { list } = (await cancel(on, two, run.id, part)).body
  expect(list.map(({ state }) => state)).toEqual(['in_run', 'released'])
  expect((await exportFile(on, one, run.id)).status).toBe(409)
  await record(on, one, run.id, [{ reference: run.list[0]!.reference, txId: txId() }])
  expect((await confirm(on, one, run.id, [run.list[0]!.deliveryId])).body.state).toBe('done')
})

test('a second officer who names other deliveries makes a proposal of their own', async () => {
  const run = await anExportedRun(on, one, 2)
  await cancel(on, one, run.id, [run.list[0]!.deliveryId])
  expect((await cancel(on, two, run.id)).body).toMatchObject({
    state: 'exported',
    proposal: { by: { id: two.id }, deliveryIds: null },
  })
  expect((await cancel(on, two, run.id, ['unknown'])).status).toBe(409)
})

test('what has a transaction is never free again', async () => {
  const run = await anExportedRun(on, one, 2)
  const [paid, unpaid] = run.list
  await record(on, one, run.id, [{ reference: paid!.reference, txId: txId() }])
  expect((await cancel(on, one, run.id)).status).toBe(409)
  expect((await cancel(on, one, run.id, [paid!.deliveryId])).status).toBe(409)
  expect((await cancel(on, one, run.id, [unpaid!.deliveryId])).status).toBe(200)
  for (const change of [sql`is_live = false`, sql`tx_id = '', sent_at = null, sent_by = null`])
    await expect(
      sql`update payout_item set ${change} where delivery_id = ${paid!.deliveryId}`.execute(db),
    ).rejects.toThrow('a sent payout item stays')
})

test('the database refuses one officer who cancels an exported run', async () => {
  const run = await anExportedRun(on, one)
  const change = sql`update payout_run set cancelled_at = now(), cancelled_by = ${one.id}, cancel_reason = 'No',
    cancel_proposed_by = ${one.id}, cancel_proposed_at = now() where id = ${run.id}`
  await expect(change.execute(db)).rejects.toThrow('payout_run_cancel_two')
})

test('the only officer can’t cancel an exported run', async () => {
  const started = await startApi()
  const [only] = await officers(started, 1)
  const run = await anExportedRun(started, only)
  expect((await cancel(started, only, run.id)).problem.errors).toMatchObject(secondPerson('reason'))
})

test('the deliveries of a canceled run are announced, and that of a refunded order ends', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
  const [officer] = await officers(started, 1)
  await aWebhook(started, admin, 'https://hooks.example.com/in', ['delivery.changed', 'payout.changed'])
  const run = await aRun(started, officer, 2)
  const [refunded, open] = run.list
  await started.services.db
    .insertInto('order_withdrawal')
    .values({
      order_id: refunded!.orderId,
      state: 'refunded',
      refund_amount: '1.5',
      refund_before: new Date(),
      until_at: new Date(),
    })
    .execute()
  await cancel(started, officer, run.id)
  const rows = await started.services.db
    .selectFrom('webhook_event')
    .select('data')
    .where('type', '=', 'delivery.changed')
    .execute()
  const of = (deliveryId: string) =>
    rows
      .map(({ data }) => data as Record<string, unknown>)
      .filter((data) => data['deliveryId'] === deliveryId)
  expect(of(open!.deliveryId).map(({ state, runId }) => [state, runId])).toEqual([
    ['in_run', run.id],
    ['released', null],
  ])
  expect(of(refunded!.deliveryId).map(({ state }) => state)).toEqual(['in_run', 'released', 'cancelled'])
  expect((await readRun(started, officer, run.id)).state).toBe('cancelled')
})

test('the audit log has no reason', async () => {
  const run = await anExportedRun(on, one)
  await cancel(on, one, run.id)
  await cancel(on, two, run.id)
  const entries = await db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('subject_id', '=', run.id)
    .where('subject_kind', '=', 'payout')
    .orderBy('id')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual([
    'payout-frozen',
    'payout-exported',
    'payout-cancel-proposed',
    'payout-cancelled',
  ])
  expect(JSON.stringify(entries)).not.toContain(nothingSent)
})
