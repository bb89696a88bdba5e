import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { PayoutDetail } from '#contract/money/payouts.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { updateOrderRow } from '#api/money/orders/order.queries.ts'
import { lockRun, markExported } from '#api/money/payouts/payout.queries.ts'
import { readFrozen } from '#api/money/payouts/require-payout.ts'
import { fileFormats } from '#api/money/payouts/run-files.rules.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aDueDelivery, anExportedRun, aRun, exportFile, freeze } from '#tests/payouts.ts'
import { startAnotherInstance, startApi, staffDecides, type TestApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

/* A delivery is paid at most once: from the freeze to the confirmation, and over every way to cancel. */

const on = await startApi({}, afterAll)
const officers = async (api_: TestApi, count: number) => {
  const made: TestMember[] = []
  for (let n = 0; n < count; n++) made.push(await aSignedInMember(api_, { manage_finance: 2 }))
  return made as [TestMember, TestMember, ...TestMember[]]
}
const [one, two] = await officers(on, 2)
const reason = 'Nothing was sent.'
const txId = 'ab'.repeat(32)
const cancel = (by: TestMember, id: string, deliveryIds?: string[]) =>
  on.call(api.cancelPayout, { params: { id }, body: { reason, ...(deliveryIds && { deliveryIds }) } }, as(by))
const record = (by: TestMember, id: string, lines: { reference: string; txId: string }[]) =>
  on.call(api.recordPayoutTransactions, { params: { id }, body: { lines } }, as(by))
const secondPerson = (path: string) => [{ path, code: 'second_person' }]

test('twenty officers who freeze the same deliveries on two instances make one run', async () => {
  const started = await startApi()
  const other = await startAnotherInstance(started)
  const all = await officers(started, 20)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await aDueDelivery(started)).id)
  const answers = await Promise.all(
    all.map((by, index) => freeze(index % 2 ? other : started, by, ids, '500')),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)])
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from payout_item where is_live`.execute(started.services.db)
  expect(rows).toEqual([{ count: 5 }])
})

test('a preview names the total, the warnings, and what is left out', async () => {
  const due = await aDueDelivery(on, { amount: '12.5' })
  const own = await aDueDelivery(on, { memberId: one.id })
  const early = await aDueDelivery(on, { dueAt: new Date(Date.now() + 3_600_000) })
  const deliveryIds = [due.id, own.id, early.id, 'unknown']
  const { body } = await on.call(api.previewPayout, { body: { deliveryIds } }, as(one))
  expect(body).toMatchObject({ deliveryIds: [due.id], count: 1, total: '12.5', needsTwo: false, hold: null })
  expect(body.warned).toMatchObject([{ deliveryId: due.id, warnings: ['new_address', 'never_proved'] }])
  expect(body.leftOut.map(({ deliveryId, obstacle }) => [deliveryId, obstacle]).toSorted()).toEqual(
    [
      [own.id, 'own'],
      [early.id, 'scheduled'],
      ['unknown', 'unknown'],
    ].toSorted(),
  )
})

test('a total that differs from the preview freezes nothing', async () => {
  const { id } = await aDueDelivery(on)
  const { problem } = await freeze(on, one, [id], '99')
  expect(problem.errors).toMatchObject([{ path: 'total', code: 'mismatch' }])
})

test('an officer can’t freeze a delivery of their own', async () => {
  const { id } = await aDueDelivery(on, { memberId: one.id })
  const { problem } = await freeze(on, one, [id], '100')
  expect(problem).toMatchObject({ code: 'conflict', errors: [{ path: 'deliveryIds.0' }] })
})

test('an officer acts on no run that pays them', async () => {
  const { id } = await aDueDelivery(on, { memberId: two.id })
  const run = (await freeze(on, one, [id], '100')).body
  expect((await exportFile(on, two, run.id)).status).toBe(403)
  expect((await cancel(two, run.id)).status).toBe(403)
})

test('a repeated request with the same key freezes once', async () => {
  const { id } = await aDueDelivery(on)
  const body = { deliveryIds: [id], total: '100' }
  const call = () =>
    on.call(api.freezePayout, { body }, { ...as(one), headers: { 'idempotency-key': 'frozen-once' } })
  const [first, again] = [await call(), await call()]
  expect(again.body.id).toBe(first.body.id)
})

test('a Bitcoin-like run pays each address once', async () => {
  const first = await aDueDelivery(on)
  const same = await aDueDelivery(on, { address: first.address })
  const body = { deliveryIds: [first.id, same.id] }
  const preview = (await on.call(api.previewPayout, { body }, as(one))).body
  expect(preview.leftOut).toMatchObject([{ obstacle: 'same_address' }])
})

test('each export has the same bytes and the hash of the run', async () => {
  const run = await aRun(on, one, 2)
  const [first, again] = [await exportFile(on, one, run.id), await exportFile(on, two, run.id)]
  expect(String(first.body)).toBe(String(again.body))
  expect(first.headers['x-payout-hash']).toBe(run.hash)
  expect(String(first.body).split('\r\n')[0]).toBe('address,amount,reference,run')
  const { body } = await on.call(api.getPayout, { params: { id: run.id } }, as(one))
  expect(body).toMatchObject({ state: 'exported', exports: [{ format: 'csv' }, { format: 'csv' }] })
})

test('a first export whose bytes were lost is repeated with the same bytes', async () => {
  const run = await aRun(on, one)
  const lost = await on.services.db.transaction().execute(async (db) => {
    const locked = (await lockRun(db, run.id))!
    await markExported(db, run.id)
    return fileFormats.csv.write(await readFrozen(db, locked))
  })
  expect(String((await exportFile(on, two, run.id)).body)).toBe(lost)
  // One officer can't cancel it any more, although nobody has seen the file.
  expect((await cancel(one, run.id)).body.state).toBe('exported')
})

test('a changed row refuses the export', async () => {
  const run = await aRun(on, one)
  await sql`alter table payout_item disable trigger payout_item_kept`.execute(on.services.db)
  await sql`update payout_item set amount = amount + 1 where run_id = ${run.id}`.execute(on.services.db)
  await sql`alter table payout_item enable trigger payout_item_kept`.execute(on.services.db)
  expect((await exportFile(on, one, run.id)).status).toBe(500)
})

test('a frozen item never changes', async () => {
  const run = await aRun(on, one)
  const change = sql`update payout_item set address = 'other' where run_id = ${run.id}`.execute(
    on.services.db,
  )
  await expect(change).rejects.toThrow('never changes')
})

test('a withdrawal after the freeze stops the first export', async () => {
  const run = await aRun(on, one)
  await sql`insert into order_withdrawal (order_id, state, refund_before, until_at)
    values (${run.list[0]!.orderId}, 'requested', now() + interval '14 days', now())`.execute(on.services.db)
  const { status } = await exportFile(on, one, run.id)
  expect(status).toBe(409)
})

test('an address that changes after the freeze doesn’t change the run', async () => {
  const delivery = await aDueDelivery(on)
  const run = (await freeze(on, one, [delivery.id], '100')).body
  await updateOrderRow(on.services.db, delivery.order.id, { fabAddress: 'elsewhere' })
  const { body } = await exportFile(on, one, run.id)
  expect(String(body)).toContain(delivery.address)
})

test('one officer cancels a run that wasn’t exported, and its deliveries are free again', async () => {
  const run = await aRun(on, one)
  expect((await cancel(one, run.id)).body.state).toBe('cancelled')
  expect((await exportFile(on, one, run.id)).status).toBe(409)
  const again = await freeze(on, one, [run.list[0]!.deliveryId], '100')
  expect(again.status).toBe(201)
})

test('two officers cancel an exported run', async () => {
  const run = await anExportedRun(on, one)
  const proposed = (await cancel(one, run.id)).body
  expect(proposed).toMatchObject({ state: 'exported', proposal: { by: { id: one.id }, counts: true } })
  expect((await cancel(one, run.id)).problem.errors).toMatchObject(secondPerson('reason'))
  expect((await cancel(two, run.id)).body).toMatchObject({ state: 'cancelled', cancelReason: reason })
})

test('two officers cancel a part of an exported run, which then has no more files', async () => {
  const run = await anExportedRun(on, one, 2)
  const part = [run.list[1]!.deliveryId]
  await cancel(one, run.id, part)
  const { list } = (await cancel(two, run.id, part)).body
  expect(list.map(({ state }) => state)).toEqual(['in_run', 'released'])
  expect((await exportFile(on, one, run.id)).status).toBe(409)
})

test('a second officer who names other deliveries proposes anew', async () => {
  const run = await anExportedRun(on, one, 2)
  await cancel(one, run.id, [run.list[0]!.deliveryId])
  expect((await cancel(two, run.id)).body).toMatchObject({
    state: 'exported',
    proposal: { deliveryIds: null },
  })
})

test('a run with a recorded transaction is not canceled', async () => {
  const run = await anExportedRun(on, one)
  await record(one, run.id, [{ reference: run.list[0]!.reference, txId }])
  expect((await cancel(one, run.id)).status).toBe(409)
})

test('the only officer can’t cancel an exported run', async () => {
  const started = await startApi()
  const [only] = await officers(started, 1)
  const run = await anExportedRun(started, only)
  const body = { reason }
  const { problem } = await started.call(api.cancelPayout, { params: { id: run.id }, body }, as(only))
  expect(problem.errors).toMatchObject(secondPerson('reason'))
})

test('transactions are recorded by reference, and what doesn’t match is named', async () => {
  const run = await anExportedRun(on, one, 2)
  const [first, second] = run.list as [PayoutDetail['list'][0], PayoutDetail['list'][0]]
  const { body } = await record(one, run.id, [
    { reference: first.reference.toLowerCase(), txId: txId.toUpperCase() },
    { reference: first.reference, txId },
    { reference: 'NOSUCHONE', txId },
    { reference: second.reference, txId: 'no transaction' },
  ])
  expect(body.lines.map(({ problem }) => problem)).toEqual([null, 'repeated', 'unknown', 'tx_id'])
  const { body: detail } = await on.call(api.getPayout, { params: { id: run.id } }, as(one))
  expect(detail).toMatchObject({ state: 'partly_sent', sent: 1 })
})

test('a confirmed delivery is emailed to its member and ends the run', async () => {
  const run = await anExportedRun(on, one)
  const [{ reference, deliveryId, memberEmail }] = run.list as [PayoutDetail['list'][0]]
  const confirm = () =>
    on.call(api.confirmPayoutItems, { params: { id: run.id }, body: { deliveryIds: [deliveryId] } }, as(two))
  expect((await confirm()).status).toBe(409)
  await record(one, run.id, [{ reference, txId }])
  expect((await confirm()).body.state).toBe('done')
  expect((await on.mailsTo(memberEmail)).map(({ kind }) => kind)).toContain('order-delivery-confirmed')
  const [line] = (await record(one, run.id, [{ reference, txId: 'cd'.repeat(32) }])).body.lines
  expect(line?.problem).toBe('confirmed')
})

test('a large run needs a second officer with the hash of the first', async () => {
  const started = await startApi(staffDecides)
  const [first, second] = await officers(started, 2)
  const run = await aRun(started, first, 1, '10000')
  expect(run).toMatchObject({ state: 'waiting', needsTwo: true })
  expect((await started.mailsTo(second.email)).map(({ kind }) => kind)).toContain('staff-order-payout-second')
  expect((await exportFile(started, first, run.id)).status).toBe(409)
  const approve = (by: TestMember, hash: string) =>
    started.call(api.approvePayout, { params: { id: run.id }, body: { hash } }, as(by))
  expect((await approve(first, run.hash)).problem.errors).toMatchObject(secondPerson('hash'))
  expect((await approve(second, 'ab'.repeat(32))).problem.errors).toMatchObject([{ code: 'mismatch' }])
  const grouped = run.hash.toUpperCase().match(/.{8}/g)!.join(' ')
  expect((await approve(second, grouped)).body.state).toBe('ready')
  expect((await exportFile(started, first, run.id)).status).toBe(200)
})

test('small runs of one officer add up to one that needs a second', async () => {
  const started = await startApi(staffDecides)
  const [first] = await officers(started, 2)
  for (let n = 0; n < 5; n++) expect((await aRun(started, first, 1, '9999')).needsTwo).toBe(false)
  expect((await aRun(started, first, 1, '9999')).needsTwo).toBe(true)
})

test('an approval doesn’t count if the first officer lost the right', async () => {
  const started = await startApi(staffDecides)
  const [first, second] = await officers(started, 3)
  const run = await aRun(started, first, 1, '10000')
  await updateMemberRow(started.services.db, first.id, { manage_finance: 1 })
  await updateMemberRow(started.services.db, first.id, { manage_finance: 2 })
  const body = { hash: run.hash }
  const { status } = await started.call(api.approvePayout, { params: { id: run.id }, body }, as(second))
  expect(status).toBe(409)
})

test('a restored backup stops payouts until two officers release the hold', async () => {
  const started = await startApi()
  const [former] = await officers(started, 1)
  const run = await anExportedRun(started, former)
  const takenAt = new Date(Date.now() - 60_000)
  await sql`select end_what_was_open(${takenAt})`.execute(started.services.db)
  const [first, second] = await officers(started, 2)
  const { id } = await aDueDelivery(started)
  expect((await freeze(started, first, [id], '100')).problem.code).toBe('payouts_on_hold')
  expect((await exportFile(started, first, run.id)).problem.code).toBe('payouts_on_hold')
  const lines = [{ reference: run.list[0]!.reference, txId }]
  const recording = { params: { id: run.id }, body: { lines } }
  expect((await started.call(api.recordPayoutTransactions, recording, as(first))).status).toBe(200)
  const release = (by: TestMember) =>
    started.call(api.resumePayouts, { body: { note: 'Compared with the wallet.' } }, as(by))
  expect((await release(first)).body.hold).toMatchObject({
    cause: 'restored',
    since: takenAt.toISOString(),
    firstReleasedBy: { id: first.id },
  })
  expect((await release(first)).problem.errors).toMatchObject(secondPerson('note'))
  expect((await release(second)).body.hold).toBeNull()
  expect((await freeze(started, first, [id], '100')).status).toBe(201)
})

test('a hold of staff keeps the earliest time and loses a first release', async () => {
  const started = await startApi()
  const [first, second] = await officers(started, 2)
  const hold = (since: string) =>
    started.call(api.holdPayouts, { body: { since, note: 'The database was recovered.' } }, as(first))
  await hold('2026-01-02T00:00:00.000Z')
  await started.call(api.resumePayouts, { body: { note: 'Compared.' } }, as(second))
  const { body } = await hold('2026-01-01T00:00:00.000Z')
  expect(body.hold).toMatchObject({ since: '2026-01-01T00:00:00.000Z', firstReleasedBy: null })
  const { problem } = await hold('2199-01-01T00:00:00.000Z')
  expect(problem.errors).toMatchObject([{ path: 'since', code: 'future' }])
})

test('finds runs by number, hash, transaction, and status', async () => {
  const run = await anExportedRun(on, one)
  await record(one, run.id, [{ reference: run.list[0]!.reference, txId: 'ef'.repeat(32) }])
  const find = async (query: object) =>
    (await on.call(api.listPayouts, { query }, as(one))).body.map(({ id }) => id)
  for (const q of [String(run.number), run.hash.slice(0, 12), 'EF'.repeat(32)])
    expect(await find({ q })).toContain(run.id)
  expect(await find({ state: 'sent', q: String(run.number) })).toEqual([run.id])
  expect(await find({ state: 'done', q: String(run.number) })).toEqual([])
})
