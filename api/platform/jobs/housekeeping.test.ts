import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { modules } from '#api/app.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { anApplication, anOrder, aSignedInMember, anEmail, signUp } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { cleanUp as runCleanUp } from './housekeeping.ts'
import { cleanUp } from '#tests/clean-up.ts'

const days = (n: number) => new Date(Date.now() - n * 86_400_000)

async function photoFilesOf({ services }: TestApi, applicationId: string) {
  const rows = await services.db
    .selectFrom('kyc_photo')
    .select('file_key')
    .where('application_id', '=', applicationId)
    .execute()
  return rows.map(({ file_key }) => join(services.config.dataDir, 'files', file_key))
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

test('pictures of a refused or unanswered application are deleted after 30 days, its record stays', async () => {
  const started = await startApi()
  const { db } = started.services
  const states = ['rejected', 'more_info', 'submitted', 'in_review', 'approved', 'expired'] as const
  const outcomes: Record<string, unknown> = {}
  for (const age of [29, 31])
    for (const state of states) {
      const member = await aSignedInMember(started)
      const { _id } = await anApplication(started, member, state)
      const [file] = await photoFilesOf(started, _id)
      await db
        .updateTable('kyc_application')
        .set({ updated_at: days(age) })
        .where('id', '=', _id)
        .execute()
      await cleanUp(started.services)
      const shown = await call(started, member.token, _id)
      expect(shown).toMatchObject({ status: state, photoCount: (await isThere(file!)) ? 1 : 0 })
      outcomes[`${state} ${age}`] = await isThere(file!)
      if (state === 'more_info' && age === 31) {
        const again = { body: { id: _id, country: 'Norway' } }
        // Nothing is left to decide on, so the answer must include pictures.
        const answered = await started.call(api.updateKyc, again, { token: member.token })
        expect(answered.problem.errors).toMatchObject([{ path: 'photoUrls', code: 'required' }])
      }
    }
  expect(Object.keys(outcomes).filter((key) => !outcomes[key])).toEqual(['rejected 31', 'more_info 31'])
})

const call = async (started: TestApi, token: string, id: string) =>
  (await started.call(api.getKyc, { params: { id } }, { token })).body

test('retained data of an erased member is deleted after five years', async () => {
  const started = await startApi()
  const { db } = started.services
  for (const [age, isKept] of [
    [4.9, true],
    [5.1, false],
  ] as const) {
    const member = await aSignedInMember(started)
    const stays = await anOrder(started, (await aSignedInMember(started)).id)
    const application = await anApplication(started, member, 'approved')
    const order = await anOrder(started, member.id)
    const files = await photoFilesOf(started, application._id)
    const consents = [{ document: 'terms' as const, version: brand.legal.terms }]
    await started.call(api.acceptConsents, { body: { consents } }, { token: member.token })
    await started.call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
    await db
      .updateTable('member')
      .set({ erased_at: days(age * 365.25) })
      .where('id', '=', member.id)
      .execute()
    await cleanUp(started.services)
    const orders = await db.selectFrom('token_order').select('id').execute()
    expect(orders.map(({ id }) => id)).toContain(stays.id)
    expect(orders.some(({ id }) => id === order.id)).toBe(isKept)
    expect(await isThere(files[0]!)).toBe(isKept)
    const given = await db.selectFrom('consent').select('id').where('member_id', '=', member.id).execute()
    expect(given).toHaveLength(isKept ? 1 : 0)
    const row = await db
      .selectFrom('kyc_application')
      .select(['full_name', 'sealed_data_key'])
      .where('id', '=', application._id)
      .executeTakeFirstOrThrow()
    expect(row.full_name !== '' && row.sealed_data_key !== null).toBe(isKept)
  }
})

test('files of deleted documents are removed from the store', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member)
  const files = await photoFilesOf(started, _id)
  await cleanUp(started.services)
  expect(await Promise.all(files.map(isThere))).toEqual([true])
  await started.call(api.deleteKyc, { body: { id: _id } }, { token: member.token })
  await cleanUp(started.services)
  expect(await Promise.all(files.map(isThere))).toEqual([false])
  expect(await photoFilesOf(started, _id)).toEqual([])
  // If interrupted, the next round does the rest.
  await cleanUp(started.services)
})

test('deletes expired sessions, codes, counters, and emails, and keeps current ones', async () => {
  const started = await startApi()
  const { db } = started.services
  const [living, dead] = [await aSignedInMember(started), await aSignedInMember(started)]
  await signUp(started, anEmail())
  await started.call(api.requestPasswordReset, { body: { email: living.email } })
  await db
    .updateTable('session')
    .set({ last_used_at: days(8) })
    .where('member_id', '=', dead.id)
    .execute()
  await cleanUp(started.services)
  const counts = async () => {
    const tables = ['session', 'access_token', 'sign_up', 'reset_code', 'mail', 'throttle'] as const
    const entries = tables.map(async (table) => {
      const rows = await db
        .selectFrom(table)
        .select(sql`1`.as('one'))
        .execute()
      return [table, rows.length] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  expect(await counts()).toMatchObject({ session: 1, access_token: 1, sign_up: 1, reset_code: 1, mail: 2 })
  await db
    .updateTable('session')
    .set({ expires_at: days(1) })
    .execute()
  await db
    .updateTable('sign_up')
    .set({ expires_at: days(8) })
    .execute()
  await db
    .updateTable('reset_code')
    .set({ expires_at: days(1) })
    .execute()
  await db
    .updateTable('throttle')
    .set({ resets_at: days(1) })
    .execute()
  await db
    .updateTable('mail')
    .set({ created_at: days(31) })
    .execute()
  await cleanUp(started.services)
  expect(new Set(Object.values(await counts()))).toEqual(new Set([0]))
})

test("posts that can't be signed do not block other deletions", async () => {
  const { services } = await startApi()
  const { db } = services
  await sql`
    with made as (insert into announcement (slug, title, category, language, content, content_summary)
      values ('old', 'Old', 'News', 'en', '<p>Old</p>', '') returning *)
    insert into announcement_version (announcement_id, n, title, category, language, content, published_at)
      select id, 1, title, category, language, content, posted_at from made`.execute(db)
  await db
    .insertInto('signing_key')
    .values({ id: 'lost', public_key: '', sealed_private_key: Buffer.from('sealed with another key') })
    .execute()
  await db
    .insertInto('pending_file')
    .values({ file_key: 'kyc/abandoned', created_at: days(1) })
    .execute()
  expect(await runCleanUp(services, modules)).toEqual(['unsignedPosts'])
  expect(await db.selectFrom('pending_file').selectAll().execute()).toEqual([])
})

test('a failed step does not stop the others, and is logged by name', async () => {
  const { services } = await startApi()
  const { db } = services
  await db
    .insertInto('throttle')
    .values({ key_hash: 'old', count: 1, resets_at: days(1) })
    .execute()
  const lines: unknown[][] = []
  const log = Object.assign(Object.create(services.log) as typeof services.log, {
    error: (...line: unknown[]) => void lines.push(line),
  })
  const broken = {
    cleanUp: {
      broken: async () => {
        throw new TypeError('somebody@example.com')
      },
    },
  }
  expect(await runCleanUp({ ...services, log }, [broken, ...modules, broken])).toEqual(['broken', 'broken'])
  expect(await db.selectFrom('throttle').selectAll().execute()).toEqual([])
  expect(lines).toHaveLength(2)
  expect(lines[0]![0]).toEqual({ step: 'broken', ms: expect.any(Number) as number, name: 'TypeError' })
})
