import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { approve, aDueDelivery, aRun, exportFile, freeze, officers, secondPerson } from '#tests/payouts.ts'
import { staffDecides, startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

/* The second of two officers approves what the first one froze. */

const on = await startApi(staffDecides, afterAll)
const [one, two] = await officers(on, 2)
const aLargeRun = () => aRun(on, one, 1, '10000')

test('a large run needs a second officer with the hash of the first', async () => {
  const run = await aLargeRun()
  expect(run).toMatchObject({ state: 'waiting', needsTwo: true })
  expect((await on.mailsTo(two.email)).map(({ kind }) => kind)).toContain('staff-order-payout-second')
  expect((await exportFile(on, one, run.id)).status).toBe(409)
  expect((await approve(on, one, run.id, run.hash)).problem.errors).toMatchObject(secondPerson('hash'))
  expect((await approve(on, two, run.id, 'ab'.repeat(32))).problem.errors).toMatchObject([
    { path: 'hash', code: 'mismatch' },
  ])
  const grouped = run.hash.toUpperCase().match(/.{8}/g)!.join(' ')
  expect((await approve(on, two, run.id, grouped)).body).toMatchObject({
    state: 'ready',
    approvedBy: { id: two.id },
  })
  expect((await approve(on, two, run.id, run.hash)).status).toBe(409)
  expect((await exportFile(on, one, run.id)).status).toBe(200)
})

test('approving needs finance level 2 and recent authentication', async () => {
  const run = await aLargeRun()
  const reader = await aSignedInMember(on, { manage_finance: 1 })
  expect((await approve(on, reader, run.id, run.hash)).status).toBe(403)
  const late = await aSignedInMember(on, { manage_finance: 2 })
  await letProofAge(on, late)
  expect((await approve(on, late, run.id, run.hash)).problem.code).toBe('step_up_required')
  expect((await approve(on, two, 'unknown', run.hash)).status).toBe(404)
})

test('a run that one officer may export is not approved', async () => {
  const run = await aRun(on, one)
  expect((await approve(on, two, run.id, run.hash)).status).toBe(409)
})

test('an officer approves no run that pays them', async () => {
  const { id } = await aDueDelivery(on, { memberId: two.id, amount: '10000' })
  const run = (await freeze(on, one, [id], '10000')).body
  expect((await approve(on, two, run.id, run.hash)).status).toBe(403)
})

test('a run is not approved after three days', async () => {
  const run = await aLargeRun()
  await sql`update payout_run set frozen_at = now() - interval '3 days' where id = ${run.id}`.execute(
    on.services.db,
  )
  expect((await approve(on, two, run.id, run.hash)).status).toBe(409)
})

test('a run whose first officer lost the right is not approved', async () => {
  const [first] = await officers(on, 1)
  const run = await aRun(on, first, 1, '10000')
  await updateMemberRow(on.services.db, first.id, { manage_finance: 1 })
  await updateMemberRow(on.services.db, first.id, { manage_finance: 2 })
  expect((await approve(on, two, run.id, run.hash)).status).toBe(409)
})

test('an approval counts no more at the export once its officer lost the right', async () => {
  const [second] = await officers(on, 1)
  const run = await aLargeRun()
  await approve(on, second, run.id, run.hash)
  await updateMemberRow(on.services.db, second.id, { manage_finance: 0 })
  expect((await exportFile(on, one, run.id)).problem.errors).toMatchObject(secondPerson('hash'))
})

test('the database refuses one officer as both', async () => {
  const run = await aLargeRun()
  const change = sql`update payout_run set approved_by = frozen_by, approved_at = now() where id = ${run.id}`
  await expect(change.execute(on.services.db)).rejects.toThrow('payout_run_two')
})
