import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { dumpDatabase } from '#api/platform/db/dump.ts'
import { restoreDatabase } from '#api/platform/db/restore.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import {
  aDueDelivery,
  anExportedRun,
  approve,
  aRun,
  cancel,
  exportFile,
  freeze,
  officers,
  readRun,
  record,
  secondPerson,
} from '#tests/payouts.ts'
import { makeDatabase } from '#tests/setup/backups.ts'
import { staffDecides, startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

/* While payouts are on hold, nothing more is paid. */

const on = await startApi({}, afterAll)
const [one, two] = await officers(on, 2)
const note = 'Compared with the wallet.'

const hold = (by: TestMember, since: string, started: TestApi = on) =>
  started.call(api.holdPayouts, { body: { since, note: 'The database was recovered.' } }, as(by))
const release = (by: TestMember, started: TestApi = on) =>
  started.call(api.resumePayouts, { body: { note } }, as(by))
const readHold = async (started: TestApi = on) =>
  (await started.call(api.getPayoutHold, {}, as(one))).body.hold

/** The same installation on a database into which a backup was restored. */
async function restored(started: TestApi): Promise<TestApi> {
  const { services } = started
  const file = join(services.config.dataDir, 'payouts.dump')
  await dumpDatabase(services.config.databaseUrl!, file)
  const url = await makeDatabase()
  await restoreDatabase(url, file)
  const config = { ...services.config, databaseUrl: url }
  return startAnotherInstance({ ...started, services: { ...services, config } })
}

test('a restored backup stops all payouts, says why, and two officers release them', async () => {
  const before = await startApi(staffDecides)
  const [former, second] = await officers(before, 2)
  const exported = await anExportedRun(before, former)
  const [ready, waiting] = [await aRun(before, former), await aRun(before, former, 1, '10000')]
  const backedUpAfter = Date.now()
  const after = await restored(before)
  const [first, other] = await officers(after, 2)
  const { id } = await aDueDelivery(after)
  expect((await freeze(after, first, [id], '100')).problem.code).toBe('payouts_on_hold')
  expect((await approve(after, first, waiting.id, waiting.hash)).problem.code).toBe('payouts_on_hold')
  for (const run of [ready, exported])
    expect((await exportFile(after, first, run.id)).problem.code).toBe('payouts_on_hold')
  for (const run of [ready, waiting, exported]) {
    const shown = (await readRun(after, first, run.id)).hold
    expect(shown).toMatchObject({ cause: 'restored', openedBy: null, firstReleasedBy: null })
    expect(Date.parse(shown!.since)).toBeGreaterThanOrEqual(backedUpAfter)
  }
  // It may have been exported after the backup.
  expect((await cancel(after, first, ready.id)).problem.code).toBe('payouts_on_hold')
  // What was paid before is recorded in any case.
  const lines = [{ reference: exported.list[0]!.reference, txId: 'ab'.repeat(32) }]
  expect((await record(after, first, exported.id, lines)).body.lines).toMatchObject([{ isDone: true }])
  expect((await release(first, after)).body.hold).toMatchObject({ firstReleasedBy: { id: first.id } })
  expect((await release(first, after)).problem.errors).toMatchObject(secondPerson('note'))
  expect((await freeze(after, first, [id], '100')).problem.code).toBe('payouts_on_hold')
  expect((await after.call(api.getPayoutHold, {}, as(other))).body.hold).toMatchObject({ releaseNote: note })
  expect((await release(other, after)).body.hold).toBeNull()
  const kept = after.services.db.selectFrom('payout_hold').select(['release_note', 'second_release_note'])
  expect(await kept.execute()).toEqual([{ release_note: note, second_release_note: note }])
  expect((await freeze(after, first, [id], '100')).status).toBe(201)
  expect((await exportFile(after, first, ready.id)).status).toBe(200)
  expect(second.id).not.toBe(first.id)
})

test('a restore extends a hold that is open, and a first release counts no more', async () => {
  const before = await startApi()
  const [first, second] = await officers(before, 2)
  await hold(first, '2026-01-01T00:00:00.000Z', before)
  await release(second, before)
  const after = await restored(before)
  const [third] = await officers(after, 1)
  const { body } = await after.call(api.getPayoutHold, {}, as(third))
  expect(body.hold).toMatchObject({
    cause: 'restored',
    since: '2026-01-01T00:00:00.000Z',
    openedBy: { id: first.id },
    firstReleasedBy: null,
  })
})

test('a hold of staff keeps the earliest time and loses a first release', async () => {
  await hold(one, '2026-01-02T00:00:00.000Z')
  await release(two)
  const { body } = await hold(one, '2026-01-01T00:00:00.000Z')
  expect(body.hold).toMatchObject({
    cause: 'staff',
    since: '2026-01-01T00:00:00.000Z',
    note: 'The database was recovered.',
    firstReleasedBy: null,
  })
  const { problem } = await hold(one, '2199-01-01T00:00:00.000Z')
  expect(problem.errors).toMatchObject([{ path: 'since', code: 'future' }])
  await release(one)
  expect((await release(two)).body.hold).toBeNull()
  expect((await release(two)).status).toBe(409)
})

test('a first release counts no more once its officer lost the right', async () => {
  const [third] = await officers(on, 1)
  await hold(one, '2026-01-02T00:00:00.000Z')
  await release(third)
  await updateMemberRow(on.services.db, third.id, { manage_finance: 0 })
  expect((await release(two)).body.hold).toMatchObject({ firstReleasedBy: { id: two.id } })
  expect((await release(one)).body.hold).toBeNull()
  expect(await readHold()).toBeNull()
})

test('holding and releasing need finance level 2 and recent authentication', async () => {
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  const since = new Date(Date.now() - 1000).toISOString()
  expect((await hold(reader, since)).status).toBe(403)
  expect((await hold(late, since)).problem.code).toBe('step_up_required')
  await hold(one, since)
  expect((await release(reader)).status).toBe(403)
  expect((await release(late)).problem.code).toBe('step_up_required')
  expect((await on.call(api.getPayoutHold, {}, as(reader))).body.hold).not.toBeNull()
  await release(one)
  await release(two)
})
