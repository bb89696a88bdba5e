import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { User } from '#contract/people/members.ts'
import { anEmail, aSignedInMember, signInAs, signUp, type TestMember } from '#tests/builders.ts'
import { startApi, type Answered } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started

/** Stays administrator throughout, so that nobody else is the last one. */
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const officer = await aSignedInMember(started, { manage_employee: 2 })

const update = (by: TestMember, body: Record<string, unknown>): Promise<Answered<User>> =>
  call(api.updateMember, { body }, { token: by.token })

const read = async (member: TestMember): Promise<User> =>
  (await call(api.getMember, { params: { id: member.id } }, { token: officer.token })).body

const isSignedIn = async (member: TestMember) =>
  (await call(api.listSessions, {}, { token: member.token })).status === 200

const own = {
  displayName: 'Sample Name',
  firstName: '名',
  midName: 'M.',
  lastName: 'Ünal-O’Neil',
  homePhone: '+47 (22) 00-00/00',
  workPhone: '0047',
  mobile: '+86 138 0000 0000',
  workEmail: 'work@example.org',
  personalMember: false,
}
const rights = {
  isWriteAccessAdmin: true,
  manageNews: 1,
  manageEmployee: 1,
  manageFinance: 2,
  manageCoins: 1,
}

describe('a member', () => {
  test('changes every field of their own profile, and only what was sent', async () => {
    const member = await aSignedInMember(started)
    const all = await update(member, { _id: member.id, ...own })
    expect(all).toMatchObject({ status: 200, body: { ...own, email: member.email, active: true } })
    const one = await update(member, { id: member.id, displayName: '' })
    expect(one.body).toEqual({ ...all.body, displayName: '', lastUpdated: one.body.lastUpdated })
    expect(await read(member)).toEqual(one.body)
  })

  test.each(
    Object.entries({
      active: false,
      ...rights,
      createdAt: '2020-01-01',
      password: 'x',
      toString: 'x',
      constructor: {},
    }),
  )('may not write %s, and nothing else of the change is written', async (name, value) => {
    const member = await aSignedInMember(started)
    const before = await read(member)
    const answer = await update(member, { id: member.id, displayName: 'Written', [name]: value })
    expect(answer).toMatchObject({ status: 403, problem: { code: 'forbidden' } })
    expect(await read(member)).toEqual(before)
  })

  test('cannot change another member, whether they exist or not', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    for (const id of [other.id, 'nobody'])
      expect((await update(member, { id, displayName: 'Written' })).problem.code).toBe('forbidden')
    const both = await update(member, { _id: member.id, id: other.id, displayName: 'Written' })
    expect(both.problem.errors).toEqual([expect.objectContaining({ path: 'id', code: 'mismatch' })])
    expect((await read(other)).displayName).toBe('')
  })

  test.each([
    [{ displayName: 'x'.repeat(101) }, 'displayName', 'too_long'],
    [{ firstName: 'a\u0000b' }, 'firstName', 'invalid'],
    [{ lastName: 'a\nb' }, 'lastName', 'invalid'],
    [{ homePhone: 'none' }, 'homePhone', 'invalid'],
    [{ workPhone: '1\n2' }, 'workPhone', 'invalid'],
    [{ mobile: '1'.repeat(41) }, 'mobile', 'too_long'],
    [{ workEmail: 'nobody' }, 'workEmail', 'email'],
    [{ email: 'nobody' }, 'email', 'email'],
    [{ email: '' }, 'email', 'required'],
    [{ personalMember: 'yes' }, 'personalMember', 'required'],
    [{ displayName: null }, 'displayName', 'required'],
  ])('is told what is wrong by field: %j', async (fields, path, code) => {
    const answer = await update(admin, { id: admin.id, ...fields })
    expect(answer.status).toBe(400)
    expect(answer.problem.errors).toContainEqual(expect.objectContaining({ path, code }))
  })

  test('gets a conflict when editing an outdated state', async () => {
    const member = await aSignedInMember(started)
    const { lastUpdated } = await read(member)
    const first = await update(member, { id: member.id, lastUpdated, displayName: 'One' })
    expect(first.status).toBe(200)
    const second = await update(member, { id: member.id, lastUpdated, displayName: 'Two' })
    expect(second).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect((await read(member)).displayName).toBe('One')
    const third = await update(member, {
      id: member.id,
      lastUpdated: first.body.lastUpdated,
      displayName: 'Three',
    })
    expect(third.status).toBe(200)
  })

  test('each change has a later time than the previous one, whatever the clock says', async () => {
    const member = await aSignedInMember(started)
    const later = new Date(Date.now() + 60_000)
    await started.services.db
      .updateTable('member')
      .set({ updated_at: later })
      .where('id', '=', member.id)
      .execute()
    const { body } = await update(member, { id: member.id, displayName: 'One' })
    expect(Date.parse(body.lastUpdated)).toBeGreaterThan(later.getTime())
  })

  test('two concurrent edits of the same state do not overwrite each other', async () => {
    const member = await aSignedInMember(started)
    const { lastUpdated } = await read(member)
    const answers = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((displayName) =>
        update(member, { id: member.id, lastUpdated, displayName }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  })
})

describe('staff', () => {
  test('with the employee level can change any profile and deactivate an account, but not rights', async () => {
    const member = await aSignedInMember(started)
    expect((await update(officer, { id: member.id, ...own, active: false })).body).toMatchObject({
      ...own,
      active: false,
    })
    for (const [name, value] of Object.entries(rights))
      expect((await update(officer, { id: member.id, [name]: value })).problem.code).toBe('forbidden')
    // Not even their own.
    expect((await update(officer, { id: officer.id, manageFinance: 2 })).problem.code).toBe('forbidden')
    expect((await update(officer, { id: 'nobody', displayName: 'x' })).status).toBe(404)
  })

  test('with other levels can change no profile', async () => {
    const member = await aSignedInMember(started)
    for (const level of ['manage_news', 'manage_finance', 'manage_coins'] as const) {
      const other = await aSignedInMember(started, { [level]: 2 })
      expect((await update(other, { id: member.id, displayName: 'x' })).problem.code).toBe('forbidden')
    }
  })

  test('administrators grant and revoke every right, and nothing else', async () => {
    const member = await aSignedInMember(started)
    expect((await update(admin, { id: member.id, ...rights })).body).toMatchObject(rights)
    const none = {
      isWriteAccessAdmin: false,
      manageNews: 0,
      manageEmployee: 0,
      manageFinance: 0,
      manageCoins: 0,
    }
    expect((await update(admin, { id: member.id, ...none })).body).toMatchObject(none)
    for (const name of ['password', 'toString', 'memberSince', 'erasedAt'])
      expect((await update(admin, { id: member.id, [name]: 'x' })).problem.code).toBe('forbidden')
    for (const value of [3, -1, 1.5, '2', true, null])
      expect((await update(admin, { id: member.id, manageNews: value })).problem.code).toBe(
        'validation_failed',
      )
  })

  test('a change of rights ends the member’s sessions at once, is emailed, and is logged', async () => {
    const member = await aSignedInMember(started)
    await update(admin, { id: member.id, displayName: 'Still signed in' })
    expect(await isSignedIn(member)).toBe(true)
    await update(admin, { id: member.id, manageNews: 2 })
    expect(await isSignedIn(member)).toBe(false)
    const mails = await mailsTo(member.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['rights-changed'])
    // Someone who signed up with another person's address may know the password.
    expect(mails[0]!.text).toContain('/login/reset')
    const entries = await started.services.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'detail'])
      .where('subject_id', '=', member.id)
      .orderBy('id')
      .execute()
    expect(entries.at(-1)).toEqual({
      actor_id: admin.id,
      detail: { fields: ['manageNews'], changes: ['manageNews 0 → 2'] },
    })
  })

  test('a deactivated account loses its sessions and cannot return by signing in or up', async () => {
    const member = await aSignedInMember(started)
    await update(officer, { id: member.id, active: false })
    expect(await isSignedIn(member)).toBe(false)
    const attempt = { body: { email: member.email, password: member.password } }
    expect((await call(api.signIn, attempt)).problem.code).toBe('member_inactive')

    await call(api.createMember, { body: { email: member.email, password: 'another good password' } })
    await call(api.resendActivation, { body: { email: member.email } })
    const codes = (await mailsTo(member.email)).flatMap(({ text }) => /[?&]code=(\S+)/.exec(text)?.[1] ?? [])
    for (const code of codes)
      await call(api.activateMember, { params: { email: member.email, code: decodeURIComponent(code) } })
    expect((await read(member)).active).toBe(false)
    expect((await call(api.signIn, attempt)).problem.code).toBe('member_inactive')

    await update(officer, { id: member.id, active: true })
    await signInAs(started, member.email, member.password, member.ip)
  })

  test('a never activated account can only be reopened for its activation', async () => {
    const email = anEmail()
    const { code } = await signUp(started, email)
    const { id } = (await call(api.findMember, { body: { email } }, { token: officer.token })).body
    expect((await update(officer, { id, active: true })).body.active).toBe(false)
    expect((await update(officer, { id, active: false })).body.active).toBe(false)
    expect((await call(api.activateMember, { params: { email, code } })).body).toBe(false)
    expect((await update(officer, { id, active: true })).body.active).toBe(false)
    await call(api.resendActivation, { body: { email } })
    await call(api.createMember, { body: { email, password: 'another good password' } })
    const { text } = (await mailsTo(email)).findLast(({ kind }) => kind === 'activation')!
    const again = decodeURIComponent(/[?&]code=(\S+)/.exec(text)![1]!)
    expect((await call(api.activateMember, { params: { email, code: again } })).body).toBe(true)
  })

  test('a password change in progress does not reactivate a deactivated account', async () => {
    const member = await aSignedInMember(started)
    const { db } = started.services
    const change = { current: member.password, passwd: 'another good password' }
    let changing: Promise<Answered<unknown>> | undefined
    await db.transaction().execute(async (closing) => {
      await closing.updateTable('member').set({ active: false }).where('id', '=', member.id).execute()
      changing = call(api.changePassword, { body: change }, { token: member.token })
      await expect
        .poll(async () => {
          const rows = await db
            .selectFrom('pg_stat_activity' as never)
            .selectAll()
            .where('wait_event_type' as never, '=', 'Lock' as never)
            .execute()
          return rows.length
        })
        .toBeGreaterThan(0)
    })
    expect((await changing!).status).toBeGreaterThanOrEqual(400)
    expect((await read(member)).active).toBe(false)
  })
})

describe('a password too short for staff', () => {
  test('keeps new rights pending until it is changed, and its owner is notified', async () => {
    const member = await aSignedInMember(started, { password_length_ok_for_staff: false })
    const granted = await update(admin, { id: member.id, manageNews: 2 })
    expect(granted.body).toMatchObject({
      manageNews: 0,
      waitingRights: { manageNews: 2, needs: ['password'] },
    })
    expect((await mailsTo(member.email)).map(({ kind }) => kind).toSorted()).toEqual([
      'rights-changed',
      'staff-password-needed',
    ])
    const { session } = await signInAs(started, member.email, member.password, member.ip)
    expect(session.manageNews).toBe(0)
    const post = { title: 'x', category: 'News', content: '<p>x</p>', language: 'en' as const }
    const publish = (token: string) => call(api.createAnnouncement, { body: post }, { token })
    expect((await publish(session.token)).problem.code).toBe('forbidden')

    const change = { current: member.password, passwd: 'a long enough password' }
    expect((await call(api.changePassword, { body: change }, { token: session.token })).status).toBe(200)
    const again = await signInAs(started, member.email, change.passwd, member.ip)
    expect(again.session.manageNews).toBe(2)
    expect((await publish(again.session.token)).status).toBe(201)
  })
})
