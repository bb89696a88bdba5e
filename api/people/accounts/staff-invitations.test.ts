import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import {
  aMember,
  anAdmin,
  anEmail,
  anIp,
  aSignedInMember,
  goodPassword,
  signInAs,
  signUp,
} from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { purgeUnverifiedAccounts } from './purge-unverified-accounts.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const passwd = 'a long staff password'
type Wanted = Partial<CallOf<typeof api.createStaffInvitation>['body']>

const invite = (token: string, email: string, rights: Wanted = { manageNews: 2 }) =>
  call(api.createStaffInvitation, { body: { email, language: 'en', ...rights } }, { token })

async function linkTo(email: string) {
  const mail = (await started.mailsTo(email)).findLast(({ kind }) => kind === 'staff-invitation')!
  const [, id, pwdresetcode] = /choose-password\/([^/\s]+)\/(\S+)/.exec(mail.text)!
  return { id: id!, pwdresetcode: pwdresetcode! }
}

const accept = async (email: string, password = passwd) =>
  call(api.executePasswordReset, { body: { ...(await linkTo(email)), passwd: password } })

const invitationOf = async (token: string, email: string) =>
  (await call(api.listStaffInvitations, { query: { q: email } }, { token })).body[0]!

const kindsTo = async (email: string) => (await started.mailsTo(email)).map(({ kind }) => kind)

test('an invited colleague chooses a password, and has an active account with the rights and a proved address', async () => {
  const admin = await anAdmin(started)
  const other = await anAdmin(started)
  const email = anEmail()
  const { status, body } = await invite(admin.token, email, { manageNews: 2, manageFinance: 1 })
  expect([status, body.state, body.email]).toEqual([201, 'open', email])
  expect(await kindsTo(other.email)).toContain('staff-invited')
  const checked = await call(api.checkPasswordReset, { body: await linkTo(email) })
  expect(checked.body).toMatchObject({
    email,
    passwordLengthMin: 12,
    invitation: { manageNews: 2, manageFinance: 1, isWriteAccessAdmin: false },
  })
  expect(checked.body.invitation?.by).toContain(admin.email)

  expect((await accept(email, 'short pass')).problem.errors?.[0]?.code).toBe('too_short')
  expect((await accept(email)).status).toBe(200)
  const { session } = await signInAs(started, email, passwd, anIp())
  expect(session).toMatchObject({ manageNews: 2, manageFinance: 1, manageEmployee: 0 })
  expect((await invitationOf(admin.token, email)).state).toBe('accepted')
  for (const each of [admin, other]) expect(await kindsTo(each.email)).toContain('staff-joined')
  expect((await accept(email)).problem.code).toBe('reset_code_invalid')
})

test('only administrators invite, after step-up, with at least one right', async () => {
  const employee = await aSignedInMember(started, { manage_employee: 2 })
  expect((await invite(employee.token, anEmail())).problem.code).toBe('forbidden')
  const admin = await anAdmin(started)
  await letProofAge(started, admin)
  expect((await invite(admin.token, anEmail())).problem.code).toBe('step_up_required')
  const inviter = await anAdmin(started)
  expect((await invite(inviter.token, anEmail(), { manageNews: 0 })).problem.errors?.[0]?.path).toBe(
    'isWriteAccessAdmin',
  )
})

test('an address with an account is refused, and so is a deactivated one', async () => {
  const admin = await anAdmin(started)
  const member = await aMember(started)
  const closed = await aMember(started)
  await updateMemberRow(services.db, closed.id, { active: false, closed_at: new Date() })
  for (const { email } of [member, closed]) {
    const refused = await invite(admin.token, email)
    expect(refused.problem.errors).toMatchObject([{ path: 'email', code: 'has_account' }])
    expect(await kindsTo(email)).not.toContain('staff-invitation')
  }
})

test('a stranger who signed up with the address does not get the rights by activating', async () => {
  const admin = await anAdmin(started)
  const email = anEmail()
  const { code } = await signUp(started, email)
  await invite(admin.token, email)
  await call(api.activateMember, { params: { email, code } })
  const { session } = await signInAs(started, email, goodPassword, anIp())
  expect(session).toMatchObject({ manageNews: 0 })
  expect((await invitationOf(admin.token, email)).state).toBe('open')
  expect((await accept(email)).status).toBe(200)
  expect((await signInAs(started, email, passwd, anIp())).session).toMatchObject({ manageNews: 2 })
})

test('a revoked invitation grants nothing, and its link is dead', async () => {
  const admin = await anAdmin(started)
  const email = anEmail()
  const { body } = await invite(admin.token, email)
  const revoke = () =>
    call(api.revokeStaffInvitation, { params: { id: body.id }, body: null }, { token: admin.token })
  expect((await revoke()).body.state).toBe('revoked')
  expect((await accept(email)).problem.code).toBe('reset_code_invalid')
  expect((await revoke()).problem.code).toBe('conflict')
  const send = call(
    api.resendStaffInvitation,
    { params: { id: body.id }, body: null },
    { token: admin.token },
  )
  expect((await send).problem.code).toBe('conflict')
})

test('a second invitation replaces the first, and sending again renews an expired one', async () => {
  const admin = await anAdmin(started)
  const email = anEmail()
  await invite(admin.token, email, { isWriteAccessAdmin: true })
  const { body } = await invite(admin.token, email, { manageNews: 1 })
  await services.db
    .updateTable('staff_invitation')
    .set({ expires_at: sql`now() - interval '1 minute'` })
    .where('id', '=', body.id)
    .execute()
  expect((await invitationOf(admin.token, email)).state).toBe('expired')
  const first = await linkTo(email)
  const sent = await call(
    api.resendStaffInvitation,
    { params: { id: body.id }, body: null },
    { token: admin.token },
  )
  expect(sent.body.state).toBe('open')
  expect((await call(api.checkPasswordReset, { body: first })).problem.code).toBe('reset_code_invalid')
  expect((await accept(email)).status).toBe(200)
  expect((await signInAs(started, email, passwd, anIp())).session).toMatchObject({
    isWriteAccessAdmin: false,
    manageNews: 1,
  })
})

test('an invitation ends with the inviter’s administrator right, and with a changed address', async () => {
  const admin = await anAdmin(started)
  const [one, other] = [anEmail(), anEmail()]
  await invite(admin.token, one)
  const { body } = await invite(admin.token, other)
  await updateMemberRow(services.db, body.memberId, { email: anEmail() })
  expect((await call(api.checkPasswordReset, { body: await linkTo(other) })).body.invitation).toBeUndefined()
  await updateMemberRow(services.db, admin.id, { is_write_access_admin: false })
  expect((await call(api.checkPasswordReset, { body: await linkTo(one) })).body.invitation).toBeUndefined()
  expect((await accept(one)).status).toBe(200)
  expect((await signInAs(started, one, passwd, anIp())).session).toMatchObject({ manageNews: 0 })
})

test('accepting and revoking at the same moment leave either the rights or a revoked invitation', async () => {
  const admin = await anAdmin(started)
  for (let round = 0; round < 5; round += 1) {
    const email = anEmail()
    const { body } = await invite(admin.token, email)
    const [accepted, revoked] = await Promise.all([
      accept(email),
      call(api.revokeStaffInvitation, { params: { id: body.id }, body: null }, { token: admin.token }),
    ])
    const { state } = await invitationOf(admin.token, email)
    expect([accepted.status === 200, revoked.status === 200]).toEqual(
      state === 'accepted' ? [true, false] : [false, true],
    )
  }
})

test('an invited address is kept for 30 days after the invitation, and then purged with it', async () => {
  const admin = await anAdmin(started)
  const email = anEmail()
  const { body } = await invite(admin.token, email)
  await updateMemberRow(services.db, body.memberId, {})
  const age = (table: 'member' | 'staff_invitation', column: 'created_at' | 'sent_at', id: string) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - interval '31 days' where id = ${id}`.execute(
      services.db,
    )
  await age('member', 'created_at', body.memberId)
  await purgeUnverifiedAccounts(services)
  expect(await invitationOf(admin.token, email)).toMatchObject({ state: 'open' })
  await age('staff_invitation', 'sent_at', body.id)
  await purgeUnverifiedAccounts(services)
  expect(await invitationOf(admin.token, email)).toBeUndefined()
})
