import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { getMemberById, updateMemberRow } from '#api/people/members/member.queries.ts'
import { anEmail, aSignedInMember, goodPassword, signUp } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aMemberWithTotp, as } from '#tests/step-up.ts'
import { grantRights } from './grant-rights.ts'
import { resetFactor } from './reset-factor.ts'

async function anInstallation(settings: Record<string, string> = {}) {
  const environment = { ENCRYPTION_KEY: randomBytes(32).toString('hex'), ...settings }
  const started = await startApi(environment)
  const { db } = started.services
  return {
    started,
    grant: (...words: string[]) => grantRights(db, words, environment),
    reset: (...words: string[]) => resetFactor(db, words, environment),
    kindsTo: async (email: string) => (await started.mailsTo(email)).map(({ kind }) => kind),
    audit: () =>
      db
        .selectFrom('audit_entry')
        .select(['action', 'actor_id', 'subject_id', 'detail'])
        .where('action', 'like', '%-by-command')
        .execute(),
  }
}

test('grants a permission as the console does: sessions end, and everyone concerned is notified', async () => {
  const { started, grant, kindsTo, audit } = await anInstallation()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  expect(await grant(member.email.toUpperCase(), 'finance', '2', '--yes')).toContain('finance 2')
  expect(await getMemberById(started.services.db, member.id)).toMatchObject({
    manage_finance: 2,
    is_write_access_admin: false,
  })
  expect((await started.call(api.readOwnMailbox, {}, as(member))).problem.code).toBe('session_expired')
  expect(await kindsTo(member.email)).toEqual(['rights-changed'])
  expect(await kindsTo(admin.email)).toEqual(['staff-rights-by-command'])
  expect(await audit()).toEqual([
    {
      action: 'rights-granted-by-command',
      actor_id: null,
      subject_id: member.id,
      detail: { changes: ['manageFinance 0 → 2'] },
    },
  ])
  expect((await started.call(api.readOwnMailbox, {}, as(admin))).status).toBe(200)
})

test('makes the first administrator, whose short password must be replaced first', async () => {
  const { started, grant, kindsTo } = await anInstallation()
  const member = await aSignedInMember(started)
  const { db } = started.services
  await updateMemberRow(db, member.id, { password_length_ok_for_staff: false })
  await grant(member.email, 'administrator', '--yes')
  expect((await getMemberById(db, member.id)).is_write_access_admin).toBe(true)
  expect(await kindsTo(member.email)).toEqual(['rights-changed', 'staff-password-needed'])
})

test('refuses unknown words, unknown or inactive accounts, and permissions that are there already', async () => {
  const { started, grant, reset, audit } = await anInstallation()
  const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_news: 2 })
  const inactive = anEmail()
  await signUp(started, inactive)
  const refused: [() => Promise<string>, RegExp][] = [
    [() => grant(), /^Usage: npm run admin/],
    [() => grant(admin.email, 'finance', '3', '--yes'), /^Usage/],
    [() => grant(admin.email, 'constructor', '1', '--yes'), /^Usage/],
    [() => grant(admin.email, 'administrator', '2', '--yes'), /^Usage/],
    [() => grant('nobody@example.org', 'administrator', '--yes'), /No account/],
    [() => grant(inactive, 'administrator', '--yes'), /isn’t active/],
    [() => grant(admin.email, 'administrator', '--yes'), /already/],
    [() => grant(admin.email, 'news', '1', '--yes'), /already/],
    [() => reset(), /^Usage/],
    [() => reset('nobody@example.org', '--yes'), /No account/],
    [() => reset(admin.email, '--yes'), /no second factor/],
  ]
  for (const [command, message] of refused) await expect(command()).rejects.toThrow(message)
  expect(await audit()).toEqual([])
})

test('without a terminal, a command needs --yes', async () => {
  const { started, grant, reset, audit } = await anInstallation()
  const { member } = await aMemberWithTotp(started)
  await expect(grant(member.email, 'administrator')).rejects.toThrow(/add --yes/)
  await expect(reset(member.email)).rejects.toThrow(/add --yes/)
  expect(await audit()).toEqual([])
})

test('refuses a key that doesn’t match the database', async () => {
  const { started } = await anInstallation()
  const member = await aSignedInMember(started)
  const environment = { ENCRYPTION_KEY: randomBytes(32).toString('hex') }
  const words = [member.email, 'administrator', '--yes']
  await expect(grantRights(started.services.db, words, environment)).rejects.toThrow(/key/)
})

test('removes the second factors of the only administrator, who signs in with the password again', async () => {
  const { started, reset, kindsTo, audit } = await anInstallation({ STAFF_SECOND_FACTOR: 'required' })
  const { member } = await aMemberWithTotp(started, { is_write_access_admin: true })
  expect((await started.call(api.requestAccountRecovery, { body: credentials(member.email) })).status).toBe(
    200,
  )
  expect(await reset(member.email, '--yes')).toContain('were removed')
  expect((await started.call(api.readOwnMailbox, {}, as(member))).problem.code).toBe('session_expired')
  expect((await started.call(api.signIn, { body: credentials(member.email) })).status).toBe(200)
  expect(await kindsTo(member.email)).toEqual(
    expect.arrayContaining(['lost-factor-done', 'staff-factors-by-command']),
  )
  expect(await audit()).toMatchObject([
    { action: 'factors-removed-by-command', actor_id: null, subject_id: member.id, detail: {} },
  ])
  const open = await started.services.db.selectFrom('lost_factor').select('state').execute()
  expect(open).toEqual([{ state: 'done' }])
})

const credentials = (email: string) => ({ email, password: goodPassword })
