import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailProviders } from '#api/platform/config/read-mail-events.ts'
import { transaction } from '#api/platform/db/database.ts'
import { mailTokenOf } from '#api/platform/mail/bounces/return-path.ts'
import { mail } from '#api/platform/mail/mail.ts'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aSentMail, says, startMailEvents } from '#tests/mail-events.ts'
import { aReader, rowOf } from '#tests/newsletter.ts'
import { lastRow, notify, refusalOf } from '#tests/setup/post.ts'

const post = await startMailEvents(afterAll)

test('after a complaint, emails that a member can turn off are withheld, and all others are sent', async () => {
  const { services } = post
  const { member, row, sent } = await aSentMail(post)
  await post.post(says.postmark.spam(sent))
  expect(await lastRow(post, member.email)).toMatchObject({ id: row.id, state: 'sent' })
  const refusal = await refusalOf(post, member.token)
  expect(refusal).toMatchObject({ trouble: 'complaint', isReported: true })
  const staff = await aSignedInMember(post, { manage_employee: 2, manage_finance: 2 })
  const shown = await post.call(api.getConsoleMember, { params: { id: member.id } }, { token: staff.token })
  expect(shown.body.mailbox).toEqual(refusal)
  const listed = await post.call(api.getMail, { params: { id: row.id } }, { token: staff.token })
  expect(listed.body).toMatchObject({ state: 'sent', trouble: 'complaint', code: null })
  // The mailbox itself works.
  const home = await post.call(api.readMemberHome, {}, { token: member.token })
  expect(home.body.email).not.toBe('refused')

  const stateAfter = async (send: () => Promise<unknown>) => {
    await send()
    await post.deliver()
    const { kind, state, last_error } = await lastRow(post, member.email)
    return [kind, state, last_error]
  }
  const link = 'https://coin.example/account'
  const to = { email: member.email, language: 'en' } as const
  const sends = (kind: 'kyc-rejected-final' | 'kyc-approved') => () =>
    transaction(services.db, (db) => sendMail(db, services.keys, to, kind, { link }))
  expect(await stateAfter(sends('kyc-approved'))).toEqual(['kyc-approved', 'failed', 'mailbox_marked'])
  expect(await stateAfter(sends('kyc-rejected-final'))).toEqual(['kyc-rejected-final', 'sent', null])
  const warn = () =>
    transaction(services.db, (db) => sendMail(db, services.keys, to, 'password-changed', { resetLink: link }))
  expect(await stateAfter(warn)).toEqual(['password-changed', 'sent', null])
  // Neither an accepted email nor time ends it, and no email is sent as a test.
  await services.db
    .updateTable('mailbox_refusal')
    .set({
      tried_at: sql<Date>`now() - interval '30 days'`,
      refused_at: sql<Date>`now() - interval '30 days'`,
    })
    .execute()
  await mail.cleanUp.pastRefusals(services)
  expect(await stateAfter(sends('kyc-approved'))).toEqual(['kyc-approved', 'failed', 'mailbox_marked'])
})

test('a complaint ends when the member enters an emailed code, or staff remove it', async () => {
  const { member, sent } = await aSentMail(post)
  await post.post(says.sendgrid.spam(sent))
  const asked = await post.call(api.requestVerificationCode, { body: null }, { token: member.token })
  expect(asked.status).toBe(200)
  const code = /\n([A-Za-z0-9-]{8,})\n/.exec((await post.mailsTo(member.email)).at(-1)!.text)![1]!
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ kind: 'mailbox-code', state: 'sent' })
  expect((await post.call(api.verifyEmail, { body: { code } }, { token: member.token })).status).toBe(200)
  expect(await refusalOf(post, member.token)).toBeNull()

  const another = await aSentMail(post)
  await post.post(says.ses.spam(another.sent))
  const staff = await aSignedInMember(post, { manage_employee: 2 })
  const removed = await post.call(
    api.clearMailboxRefusal,
    { params: { id: another.member.id }, body: null },
    { token: staff.token },
  )
  expect(removed.body.mailbox).toBeNull()
  await notify(post, another.member.email)
  await post.deliver()
  expect((await lastRow(post, another.member.email)).state).toBe('sent')
})

test('a complaint stays when the mailbox refuses emails later, and replaces an earlier refusal', async () => {
  const { member, sent } = await aSentMail(post)
  const tokenOfNext = async () => {
    await transaction(post.services.db, (db) =>
      sendMail(db, post.services.keys, { email: member.email, language: 'en' }, 'password-changed', {
        resetLink: 'https://coin.example/login',
      }),
    )
    await post.deliver()
    const { id } = await lastRow(post, member.email)
    return { ...sent, token: mailTokenOf(post.services.keys, id) }
  }
  await post.post(says.postmark.gone(await tokenOfNext()))
  expect(await refusalOf(post, member.token)).toMatchObject({ trouble: 'mailbox_unknown' })
  await post.post(says.postmark.spam(sent))
  expect(await refusalOf(post, member.token)).toMatchObject({ trouble: 'complaint' })
  await post.post(says.postmark.gone(await tokenOfNext()))
  expect(await refusalOf(post, member.token)).toMatchObject({ trouble: 'complaint' })
})

test.each(mailProviders)(
  'a complaint to %s ends the newsletter at once, also without an account',
  async (provider) => {
    const reader = await aReader(post)
    await post.deliver()
    const row = await lastRow(post, reader.email)
    const sent = { to: reader.email, token: mailTokenOf(post.services.keys, row.id) }
    expect(await post.post(says[provider].spam(sent))).toBe(200)
    expect(await rowOf(post, reader.email)).toMatchObject({ state: 'ended', ended_by: 'complained' })
  },
)
