import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { transaction, type Tx } from '#api/platform/db/database.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { lastRow, notify, refusalOf, startPost, type Post } from '#tests/setup/post.ts'
import { mail } from '../mail.ts'
import { sendMail } from '../send-mail.ts'
import { claimTrial } from './mailbox-refusal.queries.ts'

const unknown = '550 5.1.1'

test('a refusal marks the mailbox, notices are withheld, requested emails are sent, and a typed code removes the mark', async () => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  post.server.refuseWith = () => unknown
  await notify(post, member.email)
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'failed', attempts: 1, last_error: '550' })
  expect(await refusalOf(post, member.token)).toMatchObject({
    trouble: 'mailbox_unknown',
    code: '550 5.1.1',
    isReported: false,
  })

  await notify(post, member.email)
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'failed', last_error: 'mailbox_marked' })
  // Not refused by the server, which was not asked.
  const staff = await aSignedInMember(post, { manage_employee: 2, manage_finance: 2 })
  const shown = await post.call(api.getConsoleMember, { params: { id: member.id } }, { token: staff.token })
  expect(shown.body.mailbox).toMatchObject({ code: '550 5.1.1', trouble: 'mailbox_unknown' })

  // The mailbox also refuses requested emails, and stays marked.
  expect((await post.call(api.requestVerificationCode, { body: null }, { token: member.token })).status).toBe(
    200,
  )
  const code = /\n([A-Za-z0-9-]{8,})\n/.exec((await post.mailsTo(member.email)).at(-1)!.text)![1]!
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ kind: 'mailbox-code', last_error: '550' })
  expect((await post.call(api.verifyEmail, { body: { code } }, { token: member.token })).status).toBe(200)
  expect(await refusalOf(post, member.token)).toBeNull()
  expect(
    (await post.call(api.requestVerificationCode, { body: null }, { token: member.token })).problem.code,
  ).toBe('conflict')
})

test('a mailbox that accepts an email again loses its mark, and one email a day tests it', async () => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  post.server.refuseWith = () => unknown
  await notify(post, member.email)
  await post.deliver()
  await makeTrialDue(post)
  await notify(post, member.email)
  // The day's test continues until it is accepted, and no other email takes its place.
  post.server.refuseWith = () => 451
  await post.deliver()
  const trial = await lastRow(post, member.email)
  expect(trial).toMatchObject({ state: 'waiting', last_error: '451' })
  await makeTrialDue(post)
  expect(await claimTrial(post.services.db, member.id, 'another mail')).toBe(false)
  post.server.refuseWith = () => undefined
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ id: trial.id, state: 'sent' })
  expect(await refusalOf(post, member.token)).toBeNull()
})

const makeTrialDue = ({ services }: Post) =>
  services.db
    .updateTable('mailbox_refusal')
    .set({ tried_at: sql<Date>`now() - interval '25 hours'` })
    .execute()

test("security emails are also sent to a marked mailbox, and a stranger can't use up its test", async () => {
  const post = await startPost()
  const { services } = post
  const member = await aSignedInMember(post)
  post.server.refuseWith = () => unknown
  await notify(post, member.email)
  await post.deliver()
  const to = { email: member.email, language: 'en' } as const
  const link = 'https://coin.example/login'
  const sends = (send: (db: Tx) => Promise<unknown>) => transaction(services.db, send)
  await sends((db) =>
    sendMail(db, services.keys, to, 'lost-factor-confirmed', { resetLink: link, stopLink: link }),
  )
  await sends((db) => sendMail(db, services.keys, to, 'session-copied', { resetLink: link }))
  await post.deliver()
  // The server was asked.
  const asked = services.db
    .selectFrom('mail')
    .select(['kind', 'last_error'])
    .where('kind', '!=', 'kyc-approved')
  expect(await asked.orderBy('kind').execute()).toEqual([
    { kind: 'lost-factor-confirmed', last_error: '550' },
    { kind: 'session-copied', last_error: '550' },
  ])
  post.server.refuseWith = () => undefined
  await makeTrialDue(post)
  await sends((db) => sendMail(db, services.keys, to, 'already-member', { link, resetLink: link }))
  await post.deliver()
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'failed', last_error: 'mailbox_marked' })
  await notify(post, member.email)
  await post.deliver()
  expect((await lastRow(post, member.email)).state).toBe('sent')
})

test('a refusal without a reason marks the mailbox when repeated on another day', async () => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  const refuse = async () => {
    post.server.refuseWith = () => 550
    await notify(post, member.email)
    await post.deliver()
    expect(await lastRow(post, member.email)).toMatchObject({ state: 'failed', last_error: '550' })
  }
  const aDayPasses = () =>
    post.services.db
      .updateTable('mail')
      .set({
        changed_at: sql<Date>`changed_at - interval '25 hours'`,
        sent_at: sql<Date>`sent_at - interval '25 hours'`,
      })
      .execute()
  await refuse()
  await refuse()
  expect(await refusalOf(post, member.token)).toBeNull()
  await aDayPasses()
  post.server.refuseWith = () => undefined
  await notify(post, member.email)
  await post.deliver()
  await refuse()
  // One was accepted in between.
  expect(await refusalOf(post, member.token)).toBeNull()
  await aDayPasses()
  await refuse()
  expect(await refusalOf(post, member.token)).toMatchObject({ trouble: 'mailbox_unknown', code: '550' })
})

test.each<[string, number | string]>([
  ['4xx', 450],
  ['a refusal without a reason', 550],
  ['a limit of the day', '550 5.4.5'],
  ['another limit', '554 5.1.90'],
  ['a refusal by rules', '550 5.7.1'],
  ['a full mailbox', 552],
  ['our own sign-in', 530],
])('%s does not mark the mailbox', async (_, status) => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  post.server.refuseWith = () => status
  await notify(post, member.email)
  await post.deliver()
  expect(await refusalOf(post, member.token)).toBeNull()
})

test('staff can remove the mark, which is logged, and a new address has none', async () => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  const staff = await aSignedInMember(post, { manage_employee: 2 })
  const reader = await aSignedInMember(post, { manage_employee: 1 })
  const mark = async () => {
    post.server.refuseWith = () => unknown
    await notify(post, member.email)
    await post.deliver()
  }
  await mark()
  const params = { id: member.id }
  const call = (token: string) => post.call(api.clearMailboxRefusal, { params, body: null }, { token })
  expect((await call(reader.token)).status).toBe(403)
  expect((await call(staff.token)).body.mailbox).toBeNull()
  const entries = await post.services.db
    .selectFrom('audit_entry')
    .select('actor_id')
    .where('action', '=', 'mailbox-mark-removed')
    .execute()
  expect(entries).toEqual([{ actor_id: staff.id }])

  await mark()
  expect(await refusalOf(post, member.token)).not.toBeNull()
  await post.services.db
    .updateTable('member')
    .set({ email: 'another@example.org' })
    .where('id', '=', member.id)
    .execute()
  expect(await refusalOf(post, member.token)).toBeNull()
  await mail.cleanUp.pastRefusals(post.services)
  expect(await post.services.db.selectFrom('mailbox_refusal').selectAll().execute()).toEqual([])
})

test('the Message-ID of the first attempt stays, even if settings change', async () => {
  const post = await startPost()
  const member = await aSignedInMember(post)
  post.server.refuseWith = () => 450
  await notify(post, member.email)
  await post.deliver()
  const { message_id: first, id } = await lastRow(post, member.email)
  expect(first).toBe(`<${id}@coin.example>`)
  post.services.config.publicUrl.hostname = 'other.example'
  post.server.refuseWith = () => undefined
  await post.deliver()
  expect(post.server.received.at(-1)!.mail.messageId).toBe(first)
})
