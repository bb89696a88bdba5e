import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, anEmail, goodPassword, signUp } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { purgeUnverifiedAccounts } from './purge-unverified-accounts.ts'
import { transaction } from '../../platform/db/database.ts'
import { lockMember } from '../members/member.queries.ts'

/** Signed up 31 days ago; the last emailed code is still valid. */
async function anOldSignUp(started: TestApi) {
  const { db } = started.services
  const email = anEmail()
  const { code } = await signUp(started, email)
  const at = new Date(Date.now() - 31 * DAY)
  const { id } = await db
    .updateTable('member')
    .set({ created_at: at })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('sign_up').set({ created_at: at }).where('member_id', '=', id).execute()
  return { id, email, code }
}
const find = ({ services }: TestApi, id: string) =>
  services.db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirst()

/** Runs the cleanup with an address that changes after it was listed, before its turn. */
async function cleanUpAround(started: TestApi, id: string, meanwhile: () => Promise<unknown>) {
  const { services } = started
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
  // Locks an older address that comes first, so that the list is complete and its first deletion waits.
  const first = await anOldSignUp(started)
  await services.db
    .updateTable('member')
    .set({ created_at: new Date(Date.now() - 60 * DAY) })
    .where('id', '=', first.id)
    .execute()
  const holding = transaction(services.db, async (db) => {
    await lockMember(db, first.id)
    locked()
    await mayGo
  })
  await isLocked
  const cleaning = purgeUnverifiedAccounts(services)
  await isWaiting(started)
  await meanwhile()
  go()
  await Promise.all([holding, cleaning])
  expect(await find(started, first.id)).toBeUndefined()
  return find(started, id)
}

async function isWaiting({ services }: TestApi): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(services.db)
        return Number(rows[0]!.n)
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
}

test('an address confirmed during the cleanup keeps its account and its emails', async () => {
  const started = await startApi()
  const { id, email, code } = await anOldSignUp(started)
  const kept = await cleanUpAround(started, id, () =>
    started.call(api.activateMember, { params: { email, code } }),
  )
  expect(kept).toMatchObject({ active: true })
  expect(await started.mailsTo(email)).toHaveLength(1)
})

test('so does one that someone signs up with again', async () => {
  const started = await startApi()
  const { id, email } = await anOldSignUp(started)
  const kept = await cleanUpAround(started, id, () =>
    started.call(api.createMember, { body: { email, password: goodPassword } }, { ip: '192.0.2.9' }),
  )
  expect(kept).toBeDefined()
  expect(await started.mailsTo(email)).toHaveLength(2)
})

test('so does one that a member has moved to', async () => {
  const started = await startApi()
  const { id, email } = await anOldSignUp(started)
  const member = await aSignedInMember(started)
  await cleanUpAround(started, id, async () => {
    const body = { id: member.id, email }
    await started.call(api.updateMember, { body }, { token: member.token })
    const [, code] = /\n([A-Za-z0-9-]{8,})\n/.exec((await started.mailsTo(email)).at(-1)!.text)!
    await started.call(api.confirmEmail, { body: { code: code! } }, { token: member.token })
  })
  expect(await find(started, member.id)).toMatchObject({ email })
  expect(await started.mailsTo(email)).not.toEqual([])
})

test('a sign-up during the deletion of its address is answered, and its code works', async () => {
  const started = await startApi()
  for (let round = 0; round < 4; round += 1) {
    const { email } = await anOldSignUp(started)
    const body = { email, password: goodPassword }
    const [answer] = await Promise.all([
      started.call(api.createMember, { body }, { ip: `192.0.2.${round}` }),
      purgeUnverifiedAccounts(started.services),
    ])
    expect(answer.status).toBe(201)
    const text = (await started.mailsTo(email)).at(-1)!.text
    const code = new URL(/https?:\S+activate\S+/.exec(text)![0]).searchParams.get('code')!
    expect((await started.call(api.activateMember, { params: { email, code } })).body).toBe(true)
  }
})

test('one that staff closed is kept, because deleting it would reopen it', async () => {
  const started = await startApi()
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  const { id } = await anOldSignUp(started)
  await started.call(api.updateMember, { body: { id, active: false } }, { token: officer.token })
  await purgeUnverifiedAccounts(started.services)
  expect(await find(started, id)).toBeDefined()
})
