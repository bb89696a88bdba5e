import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import {
  anApplicant,
  anApplication,
  aPicture,
  aSale,
  aSignedInMember,
  type TestMember,
} from '#tests/builders.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { updateKycRow } from './kyc.queries.ts'
import { markFinal } from './review/case.queries.ts'

/** Returns a member whose application an officer approved `daysAgo` days ago. */
async function anApproved(started: TestApi, daysAgo: number, language: 'en' | 'cn' = 'en') {
  const { db } = started.services
  const member = await aSignedInMember(started)
  await db.updateTable('member').set({ language }).where('id', '=', member.id).execute()
  const { _id } = await anApplication(started, member, 'approved')
  const at = new Date(Date.now() - daysAgo * DAY)
  await db
    .updateTable('kyc_application')
    .set({ decided_at: at, created_at: at })
    .where('id', '=', _id)
    .execute()
  return { member, id: _id }
}

const kindsTo = async (started: TestApi, { email }: TestMember) =>
  (await started.mailsTo(email)).map(({ kind }) => kind).filter((kind) => kind !== 'kyc-submitted')

const again = async (started: TestApi, { email, token }: TestMember) =>
  started.call(api.createKyc, { body: { ...anApplicant(email), photoUrls: [await aPicture()] } }, { token })

const order = (started: TestApi, { token }: TestMember) =>
  started.call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.5' } }, { token })

const read = async (started: TestApi, { token }: TestMember, id: string) =>
  (await started.call(api.getKyc, { params: { id } }, { token })).body

const historyOf = async (started: TestApi, { token }: TestMember, id: string) =>
  (await started.call(api.getKycHistory, { params: { id } }, { token })).body

test('announces the end of an approval thirty days ahead, and ends it, each with one email', async () => {
  const started = await startApi()
  const { db } = started.services
  await aSale(started)
  const other = await startAnotherInstance(started)
  const fresh = await anApproved(started, 699)
  const ending = await anApproved(started, 701, 'cn')
  const over = await anApproved(started, 731, 'cn')
  const rounds = () => Promise.all([started, other, started, other].map(({ services }) => cleanUp(services)))
  await rounds()
  await rounds()

  expect(await kindsTo(started, fresh.member)).toEqual([])
  expect(await kindsTo(started, ending.member)).toEqual(['kyc-expires-soon'])
  expect((await read(started, ending.member, ending.id)).status).toBe('approved')
  expect((await order(started, ending.member)).status).toBe(201)

  const { status, reason } = await read(started, over.member, over.id)
  expect({ status, reason }).toEqual({ status: 'expired', reason: expect.stringContaining('730') })
  expect(reason).toMatch(/\p{Script=Han}/u)
  const { steps, validUntil } = await historyOf(started, over.member, over.id)
  expect(validUntil).toBeNull()
  expect(steps.at(-1)).toMatchObject({ from: 'approved', to: 'expired', reason })
  expect((await kindsTo(started, over.member)).filter((kind) => kind === 'kyc-expired')).toHaveLength(1)
  expect((await order(started, over.member)).problem.code).toBe('identity_needed')
  const entries = await db
    .selectFrom('audit_entry')
    .select('actor_id')
    .where('action', '=', 'kyc-expired')
    .where('subject_id', '=', over.id)
    .execute()
  expect(entries).toEqual([{ actor_id: null }])
})

test('the status shows until when an approval is valid', async () => {
  const started = await startApi({ KYC_VALID_DAYS: '100' })
  const { member, id } = await anApproved(started, 10)
  const { validUntil } = await historyOf(started, member, id)
  expect(Math.round((Date.parse(validUntil!) - Date.now()) / DAY)).toBe(90)
})

test('if approvals do not expire, no one is notified', async () => {
  const started = await startApi({ KYC_VALID_DAYS: '0' })
  const { member, id } = await anApproved(started, 20_000)
  await cleanUp(started.services)
  expect((await read(started, member, id)).status).toBe('approved')
  expect((await historyOf(started, member, id)).validUntil).toBeNull()
  expect(await kindsTo(started, member)).toEqual([])
})

test('a member who verifies again early is neither reminded nor told that the old approval ended', async () => {
  const started = await startApi()
  await aSale(started)
  const { member, id } = await anApproved(started, 705)
  const { body: renewed } = await again(started, member)
  await cleanUp(started.services)
  // The new application is pending, and the old approval still counts.
  expect((await order(started, member)).status).toBe(201)
  await updateKycRow(started.services.db, renewed._id, { status: 'approved', decidedBy: member.id })
  await started.services.db
    .updateTable('kyc_application')
    .set({ decided_at: new Date(Date.now() - 731 * DAY) })
    .where('id', '=', id)
    .execute()
  await cleanUp(started.services)
  expect((await read(started, member, id)).status).toBe('expired')
  expect((await order(started, member)).status).toBe(201)
  expect(await kindsTo(started, member)).toEqual([])
})

test('a rejection leaves an earlier approval unchanged; a final one ends it', async () => {
  const started = await startApi()
  await aSale(started)
  const { member } = await anApproved(started, 705)
  const { body: renewed } = await again(started, member)
  await updateKycRow(started.services.db, renewed._id, { status: 'rejected' })
  expect((await order(started, member)).status).toBe(201)
  await markFinal(started.services.db, renewed._id)
  expect((await order(started, member)).problem.code).toBe('identity_needed')
})

test('an erased member’s approval expires silently', async () => {
  const started = await startApi()
  const { member, id } = await anApproved(started, 731)
  const before = await started.mailsTo(member.email)
  await started.services.db
    .updateTable('member')
    .set({ erased_at: new Date() })
    .where('id', '=', member.id)
    .execute()
  await cleanUp(started.services)
  const row = await started.services.db
    .selectFrom('kyc_application')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.status).toBe('expired')
  expect(await started.mailsTo(member.email)).toEqual(before)
})

test('one round expires any number of approvals', { tags: ['nightly'] }, async () => {
  const started = await startApi()
  const { db } = started.services
  const { member } = await anApproved(started, 1000)
  await sql`
    insert into kyc_application (member_id, status, event_id, full_name, last_name, country, email, eth_address, btc_address, decided_at)
    select ${member.id}, 'approved', 'TGE001', '', '', '', '', '', '', now() - interval '900 days' from generate_series(1, 250)`.execute(
    db,
  )
  await cleanUp(started.services)
  const { rows } = await sql`select status, count(*)::int from kyc_application group by status`.execute(db)
  expect(rows).toEqual([{ status: 'expired', count: 251 }])
})
