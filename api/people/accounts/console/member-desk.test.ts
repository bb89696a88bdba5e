import type { TimelineKind } from '#contract/platform/timeline.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { getMemberById } from '#api/people/members/member.queries.ts'
import { aMember, anAdmin, anEmail, aSignedInMember, signUp, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aMemberWithTotp, as, letProofAge } from '#tests/step-up.ts'
import { titleOf } from '../../../platform/mail/console/present-mail.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const reason = 'Asked by telephone.'
const clerk = await aSignedInMember(started, { manage_employee: 2, display_name: 'Clerk' })
const reader = await aSignedInMember(started, { manage_employee: 1 })

const read = async (id: string, by: TestMember = clerk) =>
  (await started.call(api.getConsoleMember, { params: { id } }, as(by))).body
const kindsTo = async (email: string) => (await started.mailsTo(email)).map(({ kind }) => kind)
const isSignedIn = async (member: TestMember) =>
  (await started.call(api.getFactors, {}, as(member))).status === 200

test('an account is closed and reopened with a reason; its sessions end, and the member is notified', async () => {
  const member = await aSignedInMember(started)
  const { lastUpdated } = await read(member.id)
  const params = { id: member.id }
  const closed = await started.call(
    api.setMemberActive,
    { params, body: { active: false, reason, lastUpdated } },
    as(clerk),
  )
  expect(closed.body).toMatchObject({ active: false, isClosed: true })
  expect(closed.body.notes).toMatchObject([
    { kind: 'deactivated', text: reason, by: 'Clerk', isRemovable: false },
  ])
  expect(await isSignedIn(member)).toBe(false)
  const stale = await started.call(
    api.setMemberActive,
    { params, body: { active: true, reason, lastUpdated } },
    as(clerk),
  )
  expect(stale.problem.code).toBe('conflict')
  const opened = await started.call(
    api.setMemberActive,
    { params, body: { active: true, reason } },
    as(clerk),
  )
  expect(opened.body).toMatchObject({ active: true, isClosed: false })
  expect((await kindsTo(member.email)).slice(-2)).toEqual(['account-deactivated', 'account-reopened'])
})

/** Someone who never activated their account. */
async function aSignUp(): Promise<{ id: string; email: string }> {
  const email = anEmail()
  await signUp(started, email)
  return db.selectFrom('member').select(['id', 'email']).where('email', '=', email).executeTakeFirstOrThrow()
}

test('only the owner of the address can activate an account', async () => {
  const { id } = await aSignUp()
  const answer = await started.call(
    api.setMemberActive,
    { params: { id }, body: { active: true, reason } },
    as(clerk),
  )
  expect(answer.problem.code).toBe('conflict')
})

test('a reactivated account that was never activated is told how to activate it', async () => {
  const { id, email } = await aSignUp()
  const set = (active: boolean) =>
    started.call(api.setMemberActive, { params: { id }, body: { active, reason } }, as(clerk))
  await set(false)
  expect((await set(true)).body).toMatchObject({ active: false, isClosed: false })
  const told = (await started.mailsTo(email)).at(-1)!
  expect(told.kind).toBe('account-reopened-inactive')
  expect(told.text).toContain(`/login/activate?email=${encodeURIComponent(email)}`)
})

test('rights change with a fresh proof and a reason; the member and the other administrators are emailed', async () => {
  const chief = await aSignedInMember(started, { is_write_access_admin: true })
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  const params = { id: member.id }
  await db.updateTable('member').set({ display_name: 'Other' }).where('id', '=', chief.id).execute()
  const body = { manageFinance: 2, manageNews: 1, reason } as const
  const granted = await started.call(api.setMemberRights, { params, body }, as(chief))
  expect(granted.body.notes).toMatchObject([{ kind: 'rights', text: reason }])
  expect(granted.body.waitingRights ?? granted.body).toMatchObject({ manageFinance: 2, manageNews: 1 })
  expect(await isSignedIn(member)).toBe(false)
  expect(await kindsTo(member.email)).toContain('rights-changed')
  expect(await kindsTo(other.email)).toContain('rights-changed-by')
  const told = (await started.mailsTo(other.email)).at(-1)!.text
  expect(told).toContain(`/console/members/${member.id}`)
  expect(told).toContain(chief.email.split('@')[0]!)
  expect(await kindsTo(chief.email)).not.toContain('rights-changed-by')
  const [entry] = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', member.id)
    .where('action', '=', 'member-updated')
    .execute()
  expect(entry!.detail).toMatchObject({ changes: ['manageNews 0 → 1', 'manageFinance 0 → 2'] })

  const refused = async (by: TestMember, given: object) =>
    (await started.call(api.setMemberRights, { params, body: given as never }, as(by))).problem
  expect((await refused(chief, { reason })).code).toBe('validation_failed')
  expect((await refused(chief, { manageNews: 0 })).code).toBe('validation_failed')
  expect((await refused(chief, { active: false, reason })).code).toBe('validation_failed')
  expect((await refused(clerk, body)).code).toBe('forbidden')
  await letProofAge(started, chief)
  expect((await refused(chief, body)).code).toBe('step_up_required')
})

test('the last administrator with effective rights keeps them', async () => {
  const alone = await startApi()
  const chief = await aSignedInMember(alone, { is_write_access_admin: true })
  const waiting = await aSignedInMember(alone, {
    is_write_access_admin: true,
    password_length_ok_for_staff: false,
  })
  const set = (by: TestMember, id: string, isWriteAccessAdmin: boolean) =>
    alone.call(api.setMemberRights, { params: { id }, body: { isWriteAccessAdmin, reason } }, as(by))
  expect((await set(chief, chief.id, false)).problem.code).toBe('last_admin')
  const close = await alone.call(
    api.setMemberActive,
    { params: { id: chief.id }, body: { active: false, reason } },
    as(chief),
  )
  expect(close.problem.code).toBe('last_admin')
  expect((await set(chief, waiting.id, false)).status).toBe(200)
  expect((await getMemberById(alone.services.db, chief.id)).is_write_access_admin).toBe(true)
})

test('emails by staff: an activation to members never activated, a password link to others', async () => {
  const { id, email } = await aSignUp()
  const member = await aSignedInMember(started)
  const send = async (call: typeof api.resendMemberActivation, to: string) =>
    started.call(call, { params: { id: to }, body: null }, as(clerk))
  expect((await send(api.resendMemberActivation, id)).body).toEqual({ sent: true })
  expect(await kindsTo(email)).toEqual(['activation', 'activation'])
  const code = /code=([^&\s]+)/.exec((await started.mailsTo(email)).at(-1)!.text)![1]!
  const activated = await started.call(api.activateMember, {
    params: { email, code: decodeURIComponent(code) },
  })
  expect(activated.body).toBe(true)
  expect((await send(api.resendMemberActivation, member.id)).problem.code).toBe('conflict')
  expect((await send(api.sendMemberReset, member.id)).body).toEqual({ sent: true })
  expect((await kindsTo(member.email)).at(-1)).toBe('password-reset')
  // Emails to an address are limited for everyone; repeated clicks do not fill a mailbox.
  const codes = []
  for (let n = 0; n < 5; n += 1) codes.push((await send(api.sendMemberReset, member.id)).problem.code)
  expect(codes.at(-1)).toBe('rate_limited')
  expect((await send(api.sendMemberReset, 'nobody')).problem.code).toBe('not_found')
})

test('sessions end at once, and their number is returned and logged', async () => {
  const member = await aSignedInMember(started)
  const params = { id: member.id }
  expect((await read(member.id)).sessions).toBe(1)
  const answer = await started.call(api.endMemberSessions, { params, body: null }, as(clerk))
  expect(answer.body).toEqual({ ended: 1 })
  expect(await isSignedIn(member)).toBe(false)
  expect((await started.call(api.endMemberSessions, { params, body: null }, as(reader))).status).toBe(403)
})

test('only an administrator closes, reopens or signs out a staff account, and every administrator is emailed', async () => {
  const chief = await aSignedInMember(started, { is_write_access_admin: true })
  const other = await aSignedInMember(started, { is_write_access_admin: true })
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  // Granted, not effective yet.
  const newcomer = await aSignedInMember(started, { manage_news: 1, password_length_ok_for_staff: false })
  const reports = async (to: TestMember) =>
    (await kindsTo(to.email)).filter((kind) => kind.startsWith('staff-'))
  const setActive = (id: string, active: boolean, by: TestMember) =>
    started.call(api.setMemberActive, { params: { id }, body: { active, reason } }, as(by))
  const endSessions = (id: string, by: TestMember) =>
    started.call(api.endMemberSessions, { params: { id }, body: null }, as(by))
  for (const { id } of [officer, newcomer, other, clerk]) {
    expect((await setActive(id, false, clerk)).problem).toMatchObject({
      status: 409,
      code: 'member_is_staff',
    })
    expect((await setActive(id, true, clerk)).problem.code).toBe('member_is_staff')
    expect((await endSessions(id, clerk)).problem.code).toBe('member_is_staff')
    const plain = await started.call(api.updateMember, { body: { id, active: false } }, as(clerk))
    expect(plain.problem.code).toBe('member_is_staff')
    expect(api.updateMember.errors).toContain(plain.problem.code)
  }
  expect(await isSignedIn(officer)).toBe(true)
  expect(await reports(other)).toEqual([])

  expect((await endSessions(officer.id, chief)).body).toEqual({ ended: 1 })
  expect((await setActive(officer.id, false, chief)).status).toBe(200)
  // Deactivating again changes nothing and sends nothing.
  expect((await setActive(officer.id, false, chief)).status).toBe(200)
  expect((await setActive(officer.id, true, clerk)).problem.code).toBe('member_is_staff')
  const reopened = await started.call(api.updateMember, { body: { id: officer.id, active: true } }, as(chief))
  expect(reopened.status).toBe(200)
  for (const admin of [chief, other])
    expect(await reports(admin)).toEqual(['staff-signed-out', 'staff-deactivated', 'staff-reopened'])
  expect((await started.mailsTo(other.email)).at(-1)!.text).toContain(`/console/members/${officer.id}`)
})

test('closing a member without staff rights emails no administrator', async () => {
  const chief = await anAdmin(started)
  const { id } = await aMember(started)
  await started.call(api.setMemberActive, { params: { id }, body: { active: false, reason } }, as(clerk))
  expect(await kindsTo(chief.email)).toEqual(['activation'])
})

test('notes are visible to colleagues, deleted by their author or an administrator, and part of the member’s export', async () => {
  const member = await aMember(started)
  const params = { id: member.id }
  const colleague = await aSignedInMember(started, { manage_employee: 2 })
  const add = (text: string) => started.call(api.addMemberNote, { params, body: { text } }, as(clerk))
  expect((await add('  \n ')).problem.code).toBe('validation_failed')
  const [note] = (await add('Called back on Monday.')).body.notes
  expect(note).toMatchObject({ kind: 'note', by: 'Clerk', isRemovable: true })
  expect((await read(member.id, reader)).notes).toMatchObject([
    { text: 'Called back on Monday.', isRemovable: false },
  ])
  const remove = (by: TestMember) =>
    started.call(api.removeMemberNote, { params: { ...params, noteId: note!.id } }, as(by))
  expect((await remove(colleague)).problem.code).toBe('not_found')
  const mine = await started.call(api.exportMember, {}, as(member))
  expect(mine.body['staffNotes']).toMatchObject([{ on: 'note', text: 'Called back on Monday.' }])
  expect(JSON.stringify(mine.body)).not.toContain('Clerk')
  expect(mine.body['signIns']).toHaveLength(1)
  expect((await remove(clerk)).body.notes).toEqual([])
})

test('the member is told how to export their data; staff receive none of it', async () => {
  const member = await aSignedInMember(started)
  const params = { id: member.id }
  const answer = await started.call(api.offerMemberExport, { params, body: { reason } }, as(clerk))
  expect(answer.body.notes).toMatchObject([{ kind: 'export', text: reason }])
  expect((await kindsTo(member.email)).at(-1)).toBe('data-export-offered')
})

test("a timeline shows what the reader's levels allow, page by page", async () => {
  const member = await aMember(started)
  const params = { id: member.id }
  await started.call(
    api.updateMember,
    { body: { id: member.id, firstName: 'Ada', mobile: '+354 555 0100' } },
    as(member),
  )
  await started.call(api.addMemberNote, { params, body: { text: 'Noted.' } }, as(clerk))
  await db.insertInto('token_order').values({ member_id: member.id, reference: 'ABCDE12345' }).execute()
  const finance = await aSignedInMember(started, { manage_employee: 1, manage_finance: 1 })
  const chief = await anAdmin(started)
  const kindsFor = async (by: TestMember) => {
    const { body } = await started.call(api.readMemberTimeline, { params, query: { limit: 100 } }, as(by))
    expect(body.map(({ at }) => at)).toEqual(
      body
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    // As in the list of emails.
    expect(body.find(({ what }) => what === 'activation')?.subject).toBe(titleOf('activation', 'en'))
    return [...new Set(body.map(({ kind }) => kind))].toSorted()
  }
  await read(member.id)
  expect(await kindsFor(reader)).toEqual(['change', 'mail', 'note', 'signIn'])
  expect(await kindsFor(finance)).toEqual(['change', 'mail', 'note', 'order', 'signIn'])
  expect(await kindsFor(chief)).toEqual(['change', 'mail', 'note', 'signIn', 'view'])

  const whole = (await started.call(api.readMemberTimeline, { params, query: { limit: 100 } }, as(finance)))
    .body
  expect(whole.find(({ kind }) => kind === 'order')).toMatchObject({ what: 'placed', isMember: true })
  const only = async (kind: TimelineKind, by: TestMember) =>
    (await started.call(api.readMemberTimeline, { params, query: { limit: 100, kind } }, as(by))).body
  for (const kind of ['change', 'order', 'case'] as const)
    expect(await only(kind, finance)).toEqual(whole.filter((each) => each.kind === kind))
  expect(await only('order', reader)).toEqual([])
  expect(whole.find(({ what }) => what === 'member-updated')).toMatchObject({
    isMember: true,
    by: null,
    detail: 'firstName, mobile',
  })
  expect(whole.find(({ kind }) => kind === 'note')).toMatchObject({ by: 'Clerk', detail: 'Noted.' })
  expect(JSON.stringify(whole)).not.toContain('555 0100')
  const pages = []
  let after: string | undefined
  do {
    const page = await started.call(
      api.readMemberTimeline,
      { params, query: { limit: 2, ...(after && { after }) } },
      as(finance),
    )
    pages.push(...page.body)
    after = /after=([^&>]+)/.exec(page.headers['link'] as string)?.[1]
  } while (after)
  expect(pages).toEqual(whole)
})

test('a member who lost all factors is emailed how to request account recovery; the password stays required', async () => {
  const { member } = await aMemberWithTotp(started)
  const offer = (to: { id: string }, by: TestMember = clerk) =>
    started.call(api.offerMemberRecovery, { params: { id: to.id }, body: { reason } }, as(by))
  const offered = await offer(member)
  expect(offered.body).toMatchObject({
    recovery: null,
    notes: [{ kind: 'recovery', text: reason, by: 'Clerk', isRemovable: false }],
  })
  const mail = (await started.mailsTo(member.email)).at(-1)!
  expect(mail.kind).toBe('recovery-offered')
  expect(mail.text).toContain('/login/signin')
  expect((await started.call(api.listRecoveryRequests, {}, as(clerk))).body).toEqual([])

  expect((await offer(member, reader)).problem.code).toBe('forbidden')
  expect((await offer({ id: 'none' })).problem.code).toBe('not_found')
  // Without a factor, the password signs in.
  expect((await offer(await aSignedInMember(started))).problem.code).toBe('conflict')
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  await letProofAge(started, officer)
  expect((await offer(member, officer)).problem.code).toBe('step_up_required')

  const credentials = { email: member.email, password: member.password }
  await started.call(api.requestAccountRecovery, { body: credentials }, { ip: member.ip })
  expect((await read(member.id, reader)).recovery).toEqual({
    state: 'asked',
    takesEffectAt: null,
    askedAt: expect.any(String),
  })
  expect((await offer(member)).problem.code).toBe('conflict')
  const [{ id } = { id: '' }] = (await started.call(api.listRecoveryRequests, {}, as(clerk))).body
  await started.call(api.verifyRecoveryRequest, { body: { id, how: 'In person.' } }, as(clerk))
  await started.call(api.approveRecoveryRequest, { body: { id } }, as(await anAdmin(started)))
  expect((await read(member.id, reader)).recovery).toMatchObject({
    state: 'confirmed',
    takesEffectAt: expect.any(String),
  })
  await started.call(api.rejectRecoveryRequest, { body: { id } }, as(clerk))
  expect((await read(member.id, reader)).recovery).toBeNull()
})
