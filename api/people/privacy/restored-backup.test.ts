import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, anApplication, type TestMember } from '#tests/builders.ts'
import { makeDatabase } from '#tests/setup/backups.ts'
import { anAmbassador } from '#tests/ambassadors.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { modules } from '../../app.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { dumpDatabase } from '../../platform/db/dump.ts'
import { restoreDatabase } from '../../platform/db/restore.ts'
import { recordErasures } from '../../platform/erasure-notes/record-erasures.ts'
import { StoreFailed } from '../../platform/files/store-failed.ts'
import { endSubscription } from '../../publishing/newsletter/unsubscribe.ts'
import { destroyDocumentsOfErased } from '../kyc/kyc-erasure.queries.ts'
import type { Services } from '../../platform/services.ts'
import { StartRefused } from '../../platform/start-refused.ts'
import { repeatErasures } from '../../repeat-erasures.ts'

const erase = (started: TestApi, { password, token }: TestMember) =>
  started.call(api.eraseMember, { body: { current: password } }, { token })

/** The same installation after its database was lost and the dump was loaded into a new one. */
async function restored(started: TestApi, file: string): Promise<Services> {
  const url = await makeDatabase()
  await restoreDatabase(url, file)
  const db = openDatabase(url, () => {})
  onTestFinished(() => db.destroy())
  return { ...started.services, db }
}

async function aDump(started: TestApi): Promise<string> {
  const file = join(started.services.config.dataDir, 'all.dump')
  await dumpDatabase(started.services.config.databaseUrl!, file)
  return file
}

const membersIn = ({ db }: Services) => db.selectFrom('member').select(['id', 'email', 'erased_at']).execute()
const casesIn = ({ db }: Services) =>
  db.selectFrom('kyc_application').select(['id', 'full_name as name', 'sealed_data_key as key']).execute()

test('a restore brings back no one erased since, and no destroyed application or photo', async () => {
  const started = await startApi()
  const { services, call } = started
  const [leaving, staying, applicant, keeping] = [
    await aSignedInMember(started),
    await aSignedInMember(started),
    await aSignedInMember(started),
    await aSignedInMember(started),
  ]
  const { _id: id } = await anApplication(started, applicant)
  const { _id: kept } = await anApplication(started, keeping)
  const { _id: photoless } = await anApplication(started, await aSignedInMember(started))
  const { _id: resent } = await anApplication(started, await aSignedInMember(started))
  const invited = await anAmbassador(started, { email: 'nobody@example.org' })
  const { id: stranger } = await services.db
    .insertInto('ambassador_application')
    .values({
      email: 'nobody@example.org',
      full_name: 'Nobody',
      city: 'Oslo',
      country: 'Norway',
      status: 'accepted',
      ambassador_id: invited.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = await aDump(started)
  await services.db.deleteFrom('ambassador_application').where('id', '=', stranger).execute()
  await services.db.deleteFrom('ambassador').where('id', '=', invited.id).execute()
  expect((await erase(started, leaving)).status).toBe(200)
  expect((await call(api.deleteKyc, { body: { id } }, { token: applicant.token })).status).toBe(200)
  await services.db
    .updateTable('kyc_application')
    .set({ sealed_data_key: null })
    .where('id', 'in', [photoless, resent])
    .execute()
  const erasedAt = (await membersIn(services)).find((row) => row.id === leaving.id)!.erased_at
  await recordErasures(services)
  expect(await services.db.selectFrom('erasure_to_note').selectAll().execute()).toEqual([])

  const after = await restored(started, file)
  expect((await membersIn(after)).find((row) => row.id === leaving.id)!.email).toBe(leaving.email)
  // Photos from the dump, sent after the others were destroyed, so that they are different ones.
  await after.db
    .insertInto('kyc_photo')
    .values({
      application_id: resent,
      n: 9,
      file_key: 'kyc/later',
      content_type: 'image/jpeg',
      bytes: 1,
      created_at: new Date(Date.now() + 1000),
    })
    .execute()
  const applications = () => after.db.selectFrom('ambassador_application').select('id').execute()
  expect(await applications()).toEqual([{ id: stranger }])
  await repeatErasures(after, modules)
  expect(await applications()).toEqual([])
  expect(await after.db.selectFrom('ambassador').select('id').execute()).toEqual([])
  const rows = await membersIn(after)
  expect(rows.find((row) => row.id === leaving.id)).toMatchObject({ erased_at: erasedAt })
  expect(JSON.stringify(rows)).not.toContain(leaving.email)
  expect(rows.find((row) => row.id === staying.id)).toMatchObject({ email: staying.email, erased_at: null })
  const cases = await casesIn(after)
  const of = (id: string) => cases.find((row) => row.id === id)!
  expect(of(id)).toMatchObject({ name: '', key: null })
  expect(of(kept).name).not.toBe('')
  expect([of(photoless).key, of(resent).key !== null]).toEqual([null, true])
  // Done only once: later events are not treated as erased.
  expect(await after.db.selectFrom('restored_backup').selectAll().execute()).toEqual([])
  const entries = await after.db
    .selectFrom('audit_entry')
    .select('subject_id')
    .where('action', '=', 'member-erased')
    .execute()
  await repeatErasures(after, modules)
  expect(entries).toEqual([{ subject_id: leaving.id }])
})

test('after a restore, readers who unsubscribed since get no news, unless they had resubscribed before the dump', async () => {
  const started = await startApi()
  const { db } = started.services
  const { rows } = await sql<{ id: string; email: string }>`
    insert into subscriber (email, state, language, categories, rhythm, link_secret, consented_at)
    select n || '@example.org', 'active', 'en', '{News}', 'each', 'x', now() - interval '1 day'
    from unnest('{left,again,stays}'::text[]) n returning id, email`.execute(db)
  const [left, again] = rows
  await endSubscription(db, again!.id, 'left')
  await db
    .updateTable('subscriber')
    .set({ state: 'active', consented_at: new Date(Date.now() + HOUR), ended_at: null, ended_by: null })
    .where('id', '=', again!.id)
    .execute()
  const file = await aDump(started)
  await endSubscription(db, left!.id, 'left')
  await recordErasures(started.services)
  expect(await started.services.files.list('erased/subscription')).toHaveLength(2)
  const after = await restored(started, file)
  await repeatErasures(after, modules)
  const states = await after.db.selectFrom('subscriber').select(['email', 'state']).orderBy('email').execute()
  expect(states).toEqual([
    { email: 'again@example.org', state: 'active' },
    { email: 'left@example.org', state: 'ended' },
    { email: 'stays@example.org', state: 'active' },
  ])
})

test('a repeated erasure keeps an identity approved since the dump and retained when its member left', async () => {
  const started = await startApi()
  const { services } = started
  const [approved, undecided] = [await aSignedInMember(started), await aSignedInMember(started)]
  const { _id: kept } = await anApplication(started, approved)
  const { _id: destroyed } = await anApplication(started, undecided)
  const file = await aDump(started)
  await services.db
    .updateTable('kyc_application')
    .set({ status: 'approved' })
    .where('id', '=', kept)
    .execute()
  for (const leaving of [approved, undecided]) expect((await erase(started, leaving)).status).toBe(200)
  await recordErasures(services)
  expect(await services.files.list('erased/application')).toEqual([`erased/application/${destroyed}`])
  // The photos are erased with their application, even if only that was recorded.
  await services.files.remove(`erased/photos/${destroyed}`)

  const after = await restored(started, file)
  await repeatErasures(after, modules)
  const cases = await casesIn(after)
  expect(cases.find((row) => row.id === kept)).toMatchObject({
    name: expect.stringMatching(/./),
    key: expect.anything(),
  })
  expect(cases.find((row) => row.id === destroyed)).toMatchObject({ name: '', key: null })
  expect((await membersIn(after)).every((row) => row.erased_at !== null)).toBe(true)
  // Recorded once, with the time of the first erasure.
  expect(await after.db.selectFrom('erasure_to_note').selectAll().execute()).toEqual([])
  // Locked until the legal period ends, regardless of its state.
  await destroyDocumentsOfErased(after.db, -HOUR)
  expect((await casesIn(after)).find((row) => row.id === kept)).toMatchObject({ name: '', key: null })
})

test('records members last, so that none is recorded without their applications', async () => {
  const started = await startApi()
  const { services } = started
  const member = await aSignedInMember(started)
  await anApplication(started, member)
  await erase(started, member)
  await services.db
    .updateTable('erasure_to_note')
    .set({ at: new Date(0) })
    .where('kind', '=', 'member')
    .execute()
  const kinds: string[] = []
  const files = {
    ...services.files,
    put: async (key: string) => void kinds.push(key.split('/')[1]!),
  }
  await recordErasures({ ...services, files })
  expect(kinds).toEqual(['photos', 'application', 'member'])
})

test('a restore ends open sessions, codes, devices, and waiting emails', async () => {
  const started = await startApi()
  const { db } = started.services
  const member = await aSignedInMember(started)
  await started.call(api.requestPasswordReset, { body: { email: member.email } })
  await db.insertInto('known_device').values({ token_hash: 'd', member_id: member.id }).execute()
  await db.insertInto('lost_factor').values({ member_id: member.id }).execute()
  const file = await aDump(started)
  const open = async (services: Services) => ({
    sessions: (await services.db.selectFrom('session').select('id').execute()).length,
    tokens: (await services.db.selectFrom('access_token').select('session_id').execute()).length,
    codes: (await services.db.selectFrom('reset_code').select('member_id').execute()).length,
    devices: (await services.db.selectFrom('known_device').select('member_id').execute()).length,
    lost: (await services.db.selectFrom('lost_factor').select('id').where('ended_at', 'is', null).execute())
      .length,
    waiting: (await services.db.selectFrom('mail').select('id').where('state', '=', 'waiting').execute())
      .length,
  })
  expect(Object.values(await open(started.services)).every((count) => count > 0)).toBe(true)
  const after = await restored(started, file)
  expect(await open(after)).toEqual({ sessions: 0, tokens: 0, codes: 0, devices: 0, lost: 0, waiting: 0 })
})

test('an erasure left unrecorded by a crash or store outage is recorded later, with its time', async () => {
  const started = await startApi()
  const { services } = started
  const [one, two] = [await aSignedInMember(started), await aSignedInMember(started)]
  await erase(started, one)
  await erase(started, two)
  const failing = { ...services.files, put: () => Promise.reject(new StoreFailed(new Error())) }
  await expect(recordErasures({ ...services, files: failing })).rejects.toThrow(StoreFailed)
  const waiting = await services.db.selectFrom('erasure_to_note').selectAll().orderBy('at').execute()
  expect(waiting.map(({ id }) => id)).toEqual([one.id, two.id])
  await Promise.all([recordErasures(services), recordErasures(services)])
  expect(String(await services.files.get(`erased/member/${one.id}`))).toBe(waiting[0]!.at.toISOString())
  expect(await services.files.list('erased/member')).toHaveLength(2)
})

test('does not start on a restored backup whose store does not respond, and says so', async () => {
  const { services } = await startApi()
  await services.db.insertInto('restored_backup').values({ taken_at: new Date() }).execute()
  const files = { ...services.files, list: () => Promise.reject(new StoreFailed(new Error())) }
  await expect(repeatErasures({ ...services, files }, modules)).rejects.toThrow(StartRefused)
  expect(await services.db.selectFrom('restored_backup').selectAll().execute()).toHaveLength(1)
})
