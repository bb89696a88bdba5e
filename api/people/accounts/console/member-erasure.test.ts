import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, signInAs, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letErasureBeDue } from '#tests/erasures.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { transaction } from '../../../platform/db/database.ts'
import { lockMember } from '../../members/member.queries.ts'
import { findErasureRequest, insertErasureRequest } from '../erasure-request.queries.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const reason = 'By letter of 3 May, signature compared.'
const opener = await aSignedInMember(started, { manage_employee: 2, display_name: 'Opener' })
const second = await aSignedInMember(started, { manage_employee: 2 })

const open = (member: TestMember, by = opener) =>
  started.call(api.openMemberErasure, { params: { id: member.id }, body: { reason } }, as(by))
const confirm = (member: TestMember, by = second) =>
  started.call(api.confirmMemberErasure, { params: { id: member.id }, body: null }, as(by))
const letADayPass = ({ id }: TestMember) => letErasureBeDue(started, id)
/** Anyone can choose the display name of a colleague. */
const openerName = `Opener (${opener.email})`
const kindsTo = async ({ email }: TestMember) => (await started.mailsTo(email)).map(({ kind }) => kind)

test('one opens it, a second one carries it out a day later; the member is emailed each time', async () => {
  const member = await aSignedInMember(started)
  const opened = await open(member)
  expect(opened.body.erasure).toMatchObject({ openedBy: openerName, isOwn: true, reason })
  expect((await started.call(api.getFactors, {}, as(member))).status).toBe(401)
  expect(await kindsTo(member)).toContain('erasure-opened')
  expect((await open(member, second)).problem.code).toBe('conflict')
  expect((await confirm(member)).problem.code).toBe('conflict')
  await letADayPass(member)
  expect((await confirm(member, opener)).problem.code).toBe('conflict')
  expect((await confirm(member)).body).toEqual({ erased: true })
  expect(await kindsTo(member)).toEqual(['account-erased'])
  const answer = await started.call(api.getConsoleMember, { params: { id: member.id } }, as(second))
  expect(answer.problem.code).toBe('not_found')
  const left = await db.selectFrom('staff_note').select('id').where('member_id', '=', member.id).execute()
  expect(left).toEqual([])
  const [entry] = await db
    .selectFrom('audit_entry')
    .select('actor_id')
    .where('subject_id', '=', member.id)
    .where('action', '=', 'member-erased')
    .execute()
  expect(entry!.actor_id).toBe(second.id)
})

test('awaits every colleague who can carry it out, but not its opener, until the member signs in', async () => {
  const third = await aSignedInMember(started, { manage_employee: 2 })
  const waiting = async (by: TestMember) => {
    const { body: items } = await started.call(api.listNeedsAttention, {}, as(by))
    const query = { waitingFor: 'me' as const }
    const { body: listed } = await started.call(api.listConsoleMembers, { query }, as(by))
    expect(listed).toHaveLength(items.find(({ what }) => what === 'erasures')!.count)
    return listed.map(({ id }) => id)
  }
  const member = await aSignedInMember(started)
  await open(member)
  expect(await waiting(second)).toEqual([])
  await letADayPass(member)
  expect(await waiting(opener)).toEqual([])
  expect(await waiting(second)).toEqual([member.id])
  expect(await waiting(third)).toEqual([member.id])
  // Staff can't be erased in this way, and neither can a deactivated account.
  const grant = (manage_employee: number) =>
    db.updateTable('member').set({ manage_employee }).where('id', '=', member.id).execute()
  await grant(1)
  expect(await waiting(second)).toEqual([])
  await grant(0)
  expect(await waiting(second)).toEqual([member.id])
  const close = (closed_at: Date | null) =>
    db.updateTable('member').set({ closed_at }).where('id', '=', member.id).execute()
  await close(new Date())
  expect(await waiting(second)).toEqual([])
  await close(null)
  // A request of someone who is no longer staff must be opened again.
  const setLevel = (manage_employee: number) =>
    db.updateTable('member').set({ manage_employee }).where('id', '=', opener.id).execute()
  await setLevel(1)
  expect(await waiting(third)).toEqual([])
  await setLevel(2)
  expect(await waiting(third)).toEqual([member.id])
  await signInAs(started, member.email, member.password, member.ip)
  expect(await waiting(third)).toEqual([])
})

test('the member stops it by signing in', async () => {
  const member = await aSignedInMember(started)
  await open(member)
  await letADayPass(member)
  await signInAs(started, member.email, member.password, member.ip)
  expect((await confirm(member)).problem.code).toBe('not_found')
  const { body } = await started.call(api.getConsoleMember, { params: { id: member.id } }, as(second))
  expect(body.erasure).toBeNull()
  expect((await open(member)).status).toBe(200)
})

test('a sign-in that began before it was opened, and waited for it, stops it, and opening waits for no earlier one', async () => {
  const member = await aSignedInMember(started)
  const client = { ip: member.ip, cookies: { device: member.cookies['device']! } }
  const { promise: opened, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: sayHeld } = Promise.withResolvers<void>()
  const holding = transaction(db, async (db) => {
    await lockMember(db, member.id)
    sayHeld()
    await opened
    await insertErasureRequest(db, { memberId: member.id, openedBy: opener.id, reason })
  })
  await isHeld
  const signingIn = started.call(
    api.signIn,
    { body: { email: member.email, password: member.password } },
    client,
  )
  const waiting = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
  await expect.poll(async () => (await waiting()).rows.length).toBe(1)
  letGo()
  await holding
  expect((await signingIn).status).toBe(200)
  expect(await findErasureRequest(db, member.id)).toBeUndefined()
  // In the opposite order: the sign-in ends before the erasure is written, whose transaction began earlier.
  await transaction(db, async (held) => {
    await sql`select 1`.execute(held)
    await signInAs(started, member.email, member.password, member.ip)
    await insertErasureRequest(held, { memberId: member.id, openedBy: opener.id, reason })
  })
  expect(await findErasureRequest(db, member.id)).toMatchObject({ reason })
})

test('it is cancelled, and nothing is erased', async () => {
  const member = await aSignedInMember(started)
  await open(member)
  const params = { id: member.id }
  const dropped = await started.call(api.cancelMemberErasure, { params }, as(second))
  expect(dropped.body.erasure).toBeNull()
  expect((await kindsTo(member)).at(-1)).toBe('erasure-dropped')
  expect((await confirm(member)).problem.code).toBe('not_found')
  expect((await started.call(api.cancelMemberErasure, { params }, as(second))).problem.code).toBe('not_found')
})

test("a request by someone who lost the right can't be carried out: it must be opened again", async () => {
  for (const lost of [
    { manage_employee: 1 },
    { password_length_ok_for_staff: false },
    { active: false, closed_at: new Date() },
  ]) {
    const former = await aSignedInMember(started, { manage_employee: 2 })
    const member = await aSignedInMember(started)
    await open(member, former)
    await letADayPass(member)
    await db.updateTable('member').set(lost).where('id', '=', former.id).execute()
    expect((await confirm(member)).problem.code).toBe('conflict')
    expect((await open(member)).body.erasure).toMatchObject({ openedBy: openerName })
    expect((await confirm(member)).problem.code).toBe('conflict')
    await letADayPass(member)
    expect((await confirm(member)).body).toEqual({ erased: true })
  }
})

const setActive = (member: TestMember, active: boolean, by = opener) =>
  started.call(api.setMemberActive, { params: { id: member.id }, body: { active, reason } }, as(by))

test('nobody can erase an account that staff closed, because its member could not stop it', async () => {
  const member = await aSignedInMember(started)
  await setActive(member, false)
  expect((await open(member)).problem.code).toBe('account_closed')
  // As requested in an older release.
  await db
    .insertInto('erasure_request')
    .values({ member_id: member.id, opened_by: opener.id, reason })
    .execute()
  await letADayPass(member)
  expect((await confirm(member)).problem.code).toBe('account_closed')
  await setActive(member, true)
  expect((await confirm(member)).problem.code).toBe('not_found')
  expect((await open(member)).status).toBe(200)
})

test.each(['in the console', 'by the call of the specification'])(
  'closing the account %s cancels its erasure, and reopening does not restore it',
  async (how) => {
    const member = await aSignedInMember(started)
    await open(member)
    const closed =
      how === 'in the console'
        ? await setActive(member, false)
        : await started.call(api.updateMember, { body: { id: member.id, active: false } }, as(opener))
    expect(closed.status).toBe(200)
    expect((await kindsTo(member)).slice(-2).toSorted()).toEqual(['account-deactivated', 'erasure-dropped'])
    await letADayPass(member)
    expect((await confirm(member)).problem.code).toBe('account_closed')
    await setActive(member, true)
    expect((await confirm(member)).problem.code).toBe('not_found')
    expect(await kindsTo(member)).not.toContain('account-erased')
    const entries = await db
      .selectFrom('audit_entry')
      .select('actor_id')
      .where('subject_id', '=', member.id)
      .where('action', '=', 'erasure-dropped')
      .execute()
    expect(entries).toEqual([{ actor_id: opener.id }])
  },
)

test('concurrent opening and closing leave no erasure', async () => {
  for (let round = 0; round < 4; round += 1) {
    const member = await aSignedInMember(started)
    const both = [() => open(member), () => setActive(member, false)]
    await Promise.all((round % 2 ? both : both.toReversed()).map((each) => each()))
    await letADayPass(member)
    await setActive(member, true)
    expect((await confirm(member)).problem.code).toBe('not_found')
  }
})

test('excludes staff and oneself, and requires a fresh proof', async () => {
  const colleague = await aSignedInMember(started, { manage_news: 1 })
  expect((await open(colleague)).problem.code).toBe('member_is_staff')
  expect((await open(opener)).problem.code).toBe('conflict')
  const member = await aSignedInMember(started)
  await open(member)
  await letADayPass(member)
  await db.updateTable('member').set({ manage_coins: 1 }).where('id', '=', member.id).execute()
  expect((await confirm(member)).problem.code).toBe('member_is_staff')
  await db.updateTable('member').set({ manage_coins: 0 }).where('id', '=', member.id).execute()
  const another = await aSignedInMember(started)
  await letProofAge(started)
  expect((await confirm(member)).problem.code).toBe('step_up_required')
  expect((await open(another)).problem.code).toBe('step_up_required')
})
