import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { aMember, anEmail, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { db } = services
const clerk = await aSignedInMember(started, { manage_employee: 2 })
const { anApplication, read, review, accept } = ambassadorDesk(started, clerk)

/**
 * Someone applied, and a stranger signed up with their address: the owner opened the emailed link, but the stranger
 * knows the password.
 */
async function aStranger() {
  const email = anEmail()
  const id = await anApplication('en', email, { description: 'What only they know.' })
  await call(api.addApplicationNote, { params: { id }, body: { text: 'Speaks well.' } }, as(clerk))
  const stranger = await aMember(started, { email, isElsewhere: true })
  return { email, id, stranger }
}

const exported = async (member: TestMember) =>
  (await call(api.exportMember, { query: {} }, as(member))).body as {
    ambassadorApplications: unknown[]
    mails: { kind: string }[]
  }
const prove = (member: TestMember) =>
  db.updateTable('member').set({ address_proved_at: new Date() }).where('id', '=', member.id).execute()

test('an unverified account learns nothing about who has the mailbox', async () => {
  const { id, stranger } = await aStranger()
  const { body } = await review(id, (await read(id)).lastUpdated)
  await accept(id, body.lastUpdated)
  const before = await exported(stranger)
  expect(before.ambassadorApplications).toEqual([])
  const kinds = before.mails.map(({ kind }) => kind)
  expect(kinds).toContain('activation')
  expect(kinds.filter((kind) => kind.startsWith('ambassador-'))).toEqual([])
  const preview = await call(api.previewErasure, {}, as(stranger))
  expect(preview.body.erased).not.toContain('ambassador')
  await prove(stranger)
  const after = await exported(stranger)
  expect(after.ambassadorApplications).toMatchObject([{ notes: [{ text: 'Speaks well.' }] }])
  expect(after.mails.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ambassador-received', 'ambassador-invited']),
  )
})

test('an unverified account erases nothing of theirs', async () => {
  const { id, email, stranger } = await aStranger()
  await call(api.eraseMember, { body: { current: stranger.password } }, as(stranger))
  expect((await read(id)).email).toBe(email)
  expect((await mailsTo(email)).map(({ kind }) => kind)).toContain('ambassador-received')
})

test('an unverified account cannot read emails sent to the mailbox for another account', async () => {
  const email = anEmail()
  const stranger = await aMember(started, { email, isElsewhere: true })
  await db
    .insertInto('mail')
    .values({ to_address: email, kind: 'email-confirm', member_id: stranger.id })
    .execute()
  const kinds = async () => (await exported(stranger)).mails.map(({ kind }) => kind)
  expect(await kinds()).not.toContain('email-confirm')
  await prove(stranger)
  expect(await kinds()).toContain('email-confirm')
})
