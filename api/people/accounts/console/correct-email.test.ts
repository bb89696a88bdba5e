import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { getMemberById } from '#api/people/members/member.queries.ts'
import { recordMailboxRefusal } from '#api/platform/mail/bounces/mailbox-refusal.queries.ts'
import {
  anAdmin,
  anEmail,
  anOrder,
  aSignedInMember,
  signInAs,
  signUp,
  type TestMember,
} from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const reason = 'Misspelled. Called back on the number in the identity case.'
const clerk = await aSignedInMember(started, { manage_employee: 2, display_name: 'Clerk' })
const reader = await aSignedInMember(started, { manage_employee: 1 })

const correct = (member: { id: string }, email: string, by: TestMember = clerk) =>
  started.call(api.correctMemberEmail, { params: { id: member.id }, body: { email, reason } }, as(by))
const cancel = (member: TestMember, by: TestMember = clerk) =>
  started.call(api.cancelMemberEmailChange, { params: { id: member.id } }, as(by))
const read = async (member: TestMember, by: TestMember = reader) =>
  (await started.call(api.getConsoleMember, { params: { id: member.id } }, as(by))).body
const kindsTo = async (email: string) => (await started.mailsTo(email)).map(({ kind }) => kind)
const addressOf = async ({ id }: TestMember) => (await getMemberById(db, id)).email

/** The newest link of that step in the emails to the address. */
async function linkTo(email: string, step: 'confirm' | 'stop') {
  const link = new RegExp(String.raw`/login/email/${step}/([^/\s]+)/(\S+)`)
  const mail = (await started.mailsTo(email)).findLast(({ text }) => link.test(text))!
  const [, id = '', code = ''] = link.exec(mail.text)!
  return { id, code: decodeURIComponent(code) }
}
const confirm = async (email: string) =>
  started.call(api.confirmNewEmail, { body: await linkTo(email, 'confirm') })
const stop = (body: { id: string; code: string }) => started.call(api.stopEmailChange, { body })

const letDayPass = async ({ id }: TestMember) => {
  const { created_at } = await db
    .selectFrom('email_change')
    .select('created_at')
    .where('member_id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('email_change')
    .set({ created_at: new Date(created_at.getTime() - 86_400_000) })
    .where('member_id', '=', id)
    .execute()
}

const actionsOn = async ({ id }: TestMember) =>
  (
    await db
      .selectFrom('audit_entry')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', id)
      .where('action', 'like', 'email-change%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_id }) => [action, actor_id])

test('staff correct an address: the new one is proved, the old one could stop it for a day, and then it changes', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  const opened = await correct(member, ` ${email.toUpperCase()} `)
  expect(opened.body).toMatchObject({
    email: member.email,
    emailChange: { newEmail: email, startedBy: expect.stringContaining('Clerk'), isConfirmed: false },
    notes: [{ kind: 'email', text: reason, by: 'Clerk', isRemovable: false }],
  })
  const { startedAt, takesEffectAt } = opened.body.emailChange!
  expect(Date.parse(takesEffectAt!) - Date.parse(startedAt)).toBe(86_400_000)
  expect(await kindsTo(member.email)).toEqual(['email-change-opened'])
  expect(await kindsTo(email)).toEqual(['email-change-confirm'])
  // Whoever has the new mailbox may be a stranger.
  const toNew = (await started.mailsTo(email))[0]!
  expect(`${toNew.subject} ${toNew.text}`).not.toContain(member.email)

  // Without confirmation, the change never takes effect.
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(member.email)
  expect((await confirm(email)).body).toEqual({ takesEffectAt })
  expect((await confirm(email)).body).toEqual({ takesEffectAt })
  expect((await read(member)).emailChange).toMatchObject({ isConfirmed: true })

  // Nor does a confirmation before the day is over: the new mailbox gives no access to the account.
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(member.email)
  await started.call(api.requestPasswordReset, { body: { email } }, { ip: '192.0.2.77' })
  expect(await kindsTo(email)).toEqual(['email-change-confirm'])

  await letDayPass(member)
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(email)
  expect((await read(member)).emailChange).toBeNull()
  expect(await kindsTo(member.email)).toEqual(['email-change-opened', 'email-changed'])
  expect((await kindsTo(email)).at(-1)).toBe('email-change-done')
  await signInAs(started, email, member.password, member.ip)
  expect(await actionsOn(member)).toEqual([
    ['email-change-opened', clerk.id],
    ['email-changed', null],
  ])
})

test('an address that is confirmed after the day changes at once', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await correct(member, email)
  await letDayPass(member)
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(member.email)
  expect((await confirm(email)).body).toEqual({ takesEffectAt: null })
  expect(await addressOf(member)).toBe(email)
  expect((await confirm(email)).problem.code).toBe('code_invalid')
})

test('the link to the old address stops the change, before and after the new one is confirmed', async () => {
  const member = await aSignedInMember(started)
  for (const isConfirmed of [false, true]) {
    const email = anEmail()
    await correct(member, email)
    if (isConfirmed) await confirm(email)
    const link = await linkTo(member.email, 'stop')
    expect((await stop({ ...link, code: 'made-up' })).problem.code).toBe('code_invalid')
    expect((await stop({ ...link, id: clerk.id })).problem.code).toBe('code_invalid')
    expect((await stop(link)).body).toEqual({ stopped: true })
    expect((await read(member)).emailChange).toBeNull()
    expect((await confirm(email)).problem.code).toBe('code_invalid')
    // The link of an ended change doesn't work for the next one.
    expect((await stop(link)).problem.code).toBe('code_invalid')
  }
  expect((await kindsTo(member.email)).filter((kind) => kind === 'email-change-stopped')).toHaveLength(2)
  expect((await actionsOn(member)).at(-1)).toEqual(['email-change-stopped', null])
})

test('staff cancel a pending change, also one that the member started', async () => {
  const member = await aSignedInMember(started)
  await correct(member, anEmail())
  expect((await cancel(member)).body.emailChange).toBeNull()
  expect((await kindsTo(member.email)).at(-1)).toBe('email-change-stopped')
  expect((await actionsOn(member)).at(-1)).toEqual(['email-change-stopped', clerk.id])
  expect((await cancel(member)).problem.code).toBe('not_found')
  expect((await cancel(member, reader)).problem.code).toBe('forbidden')

  const email = anEmail()
  await started.call(api.updateMember, { body: { id: member.id, email } }, as(member))
  expect((await read(member)).emailChange).toMatchObject({
    newEmail: email,
    startedBy: null,
    takesEffectAt: null,
  })
  expect((await cancel(member)).body.emailChange).toBeNull()
})

test('it takes a fresh proof and level 2, and one pending change is enough', async () => {
  const member = await aSignedInMember(started)
  expect((await correct(member, anEmail(), reader)).problem.code).toBe('forbidden')
  expect((await correct(clerk, anEmail())).problem.code).toBe('conflict')
  expect((await correct({ id: 'none' }, anEmail())).problem.code).toBe('not_found')
  const officer = await aSignedInMember(started, { manage_employee: 2 })
  await letProofAge(started, officer)
  expect((await correct(member, anEmail(), officer)).problem.code).toBe('step_up_required')
  expect((await read(member)).emailChange).toBeNull()
  const email = anEmail()
  const answers = await Promise.all([correct(member, email), correct(member, anEmail())])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await correct(member, anEmail())).problem.code).toBe('conflict')
})

test('only administrators correct the address of a staff account, and all of them are told', async () => {
  const chief = await anAdmin(started)
  const colleague = await aSignedInMember(started, { manage_news: 1 })
  expect((await correct(colleague, anEmail())).problem.code).toBe('member_is_staff')
  const email = anEmail()
  expect((await correct(colleague, email, chief)).status).toBe(200)
  const told = (await started.mailsTo(chief.email)).at(-1)!
  expect(told.kind).toBe('staff-email-change')
  expect(told.text).toContain(colleague.email)
  expect(told.text).not.toContain(email)
})

test('an address of another account is refused by field; one that was never activated is not', async () => {
  const [member, holder] = [await aSignedInMember(started), await aSignedInMember(started)]
  for (const email of [holder.email, member.email])
    expect((await correct(member, email)).problem.errors).toMatchObject([
      { path: 'email', code: 'email_taken' },
    ])
  const email = anEmail()
  await signUp(started, email, 'password of a stranger')
  await correct(member, email)
  await letDayPass(member)
  expect((await confirm(email)).body).toEqual({ takesEffectAt: null })
  expect(await addressOf(member)).toBe(email)
})

test('someone who verifies the address first keeps it, and the change ends', async () => {
  const member = await aSignedInMember(started)
  const [first, second] = [anEmail(), anEmail()]
  for (const [email, isConfirmed] of [
    [first, true],
    [second, false],
  ] as const) {
    await correct(member, email)
    if (isConfirmed) await confirm(email)
    const { code } = await signUp(started, email)
    await started.call(api.activateMember, { params: { email, code } })
    await letDayPass(member)
    if (!isConfirmed) expect((await confirm(email)).problem.code).toBe('code_invalid')
    await cleanUp(started.services)
    expect(await addressOf(member)).toBe(member.email)
    if (isConfirmed) expect((await read(member)).emailChange).toBeNull()
  }
})

test('an address under which staff hold records is not given to someone else', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await signUp(started, email)
  const { id } = await db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await anOrder(started, id)
  await correct(member, email)
  await confirm(email)
  await letDayPass(member)
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(member.email)
  expect((await read(member)).emailChange).toBeNull()
  expect((await kindsTo(member.email)).at(-1)).toBe('email-change-stopped')
})

test('nothing changes while the old mailbox refuses emails, because nobody there could stop it', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  const refuse = () =>
    recordMailboxRefusal(
      db,
      member.email,
      { error: 'refused', enhanced: '5.1.1' },
      {
        isReported: false,
      },
    )
  await refuse()
  expect((await correct(member, email)).problem.code).toBe('conflict')
  await db.deleteFrom('mailbox_refusal').where('member_id', '=', member.id).execute()
  await correct(member, email)
  await confirm(email)
  await refuse()
  await letDayPass(member)
  await cleanUp(started.services)
  expect(await addressOf(member)).toBe(member.email)
  expect((await read(member)).emailChange).toBeNull()
})

test.each(['a new password', 'a change of their own', 'keeping their address'])(
  'the member ends the change with %s',
  async (by) => {
    const member = await aSignedInMember(started)
    const email = anEmail()
    await correct(member, email)
    await confirm(email)
    if (by === 'a new password')
      await started.call(
        api.changePassword,
        { body: { current: member.password, passwd: 'another good password' } },
        as(member),
      )
    else {
      const own = by === 'keeping their address' ? member.email : anEmail()
      await started.call(api.updateMember, { body: { id: member.id, email: own } }, as(member))
    }
    if (by === 'a change of their own') {
      // The confirmation of the other address is not one of theirs.
      await letDayPass(member)
      expect((await read(member)).emailChange).toMatchObject({ startedBy: null, isConfirmed: false })
    } else expect((await read(member)).emailChange).toBeNull()
    await cleanUp(started.services)
    expect(await addressOf(member)).toBe(member.email)
    expect((await confirm(email)).problem.code).toBe('code_invalid')
  },
)

test('the member does not confirm it with a code, and is not asked for one', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await correct(member, email)
  const own = await started.call(api.getMember, { params: { id: member.id } }, as(member))
  expect(own.body).not.toHaveProperty('pendingEmail')
  const { code } = await linkTo(email, 'confirm')
  const typed = await started.call(api.confirmEmail, { body: { code } }, as(member))
  expect(typed.problem.code).toBe('code_invalid')
})

test('an account that was closed in the meantime keeps its address, and its link confirms nothing', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await correct(member, email)
  await started.call(
    api.setMemberActive,
    { params: { id: member.id }, body: { active: false, reason } },
    as(clerk),
  )
  expect((await confirm(email)).problem.code).toBe('code_invalid')
  expect((await correct(member, anEmail())).problem.code).toBe('conflict')
})

test('a link that was not used for a week is invalid, and guesses are limited', async () => {
  const member = await aSignedInMember(started)
  const email = anEmail()
  await correct(member, email)
  const { expiresAt, startedAt } = (await read(member)).emailChange!
  expect(Date.parse(expiresAt) - Date.parse(startedAt)).toBe(7 * 86_400_000)
  await db
    .updateTable('email_change')
    .set({ expires_at: new Date(0) })
    .where('member_id', '=', member.id)
    .execute()
  expect((await confirm(email)).problem.code).toBe('code_invalid')
  expect((await read(member)).emailChange).toBeNull()
  const guesses: string[] = []
  for (let n = 0; n < 31; n += 1) {
    const body = { id: member.id, code: `guess ${n}` }
    guesses.push((await started.call(api.confirmNewEmail, { body }, { ip: '192.0.2.99' })).problem.code)
  }
  expect([guesses[29], guesses[30]]).toEqual(['code_invalid', 'rate_limited'])
})
