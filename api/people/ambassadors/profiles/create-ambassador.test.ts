import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Language } from '#contract/platform/fields.ts'
import { transaction } from '#api/platform/db/database.ts'
import { anEmail, anIp, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { createAmbassador } from './create-ambassador.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { db } = services

async function anApplication(email = anEmail(), language = 'en') {
  await call(
    api.applyAsAmbassador,
    { body: { email, fullName: 'Sample Applicant', city: 'Oslo', country: 'Norway' } },
    { ip: anIp(), headers: { 'accept-language': language } },
  )
  const { id, full_name } = await db
    .selectFrom('ambassador_application')
    .select(['id', 'full_name'])
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return { applicationId: id, email, fullName: full_name, language: 'en' as Language }
}

const accept = (application: Awaited<ReturnType<typeof anApplication>>) =>
  transaction(db, (db) => createAmbassador(db, services, application))

const ambassadorsOf = (id: string) => db.selectFrom('ambassador').selectAll().where('id', '=', id).execute()
const invitationsTo = async (email: string) =>
  (await mailsTo(email)).filter(({ kind }) => kind === 'ambassador-invited')

test('makes an accepted applicant an ambassador with a code, and invites them in their language', async () => {
  const application = { ...(await anApplication()), language: 'cn' as const }
  const { id } = await accept(application)
  expect(await ambassadorsOf(id)).toMatchObject([
    { email: application.email, full_name: 'Sample Applicant', member_id: null, slug: null, ended_at: null },
  ])
  expect((await ambassadorsOf(id))[0]!.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  const [mail] = await invitationsTo(application.email)
  expect(mail!.text).toContain('/account/ambassador')
  expect(mail!.subject).toMatch(/\p{Script=Han}/u)
})

const mailsOf = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind)
const answered = (id: string) =>
  db.updateTable('ambassador_application').set({ status: 'accepted' }).where('id', '=', id).execute()

test('two acceptances of an address, even at once, make one ambassador and two emails', async () => {
  const application = await anApplication()
  const ids = await Promise.all(Array.from({ length: 5 }, () => accept(application)))
  expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
  expect(await invitationsTo(application.email)).toHaveLength(1)
  await answered(application.applicationId)
  const again = await anApplication(application.email)
  expect(await accept(again)).toEqual(ids[0])
  expect(await invitationsTo(application.email)).toHaveLength(2)
  const linked = await db
    .selectFrom('ambassador_application')
    .select('id')
    .where('ambassador_id', '=', ids[0]!.id)
    .execute()
  expect(new Set(linked.map(({ id }) => id))).toEqual(
    new Set([application.applicationId, again.applicationId]),
  )
})

test('a mailbox is one ambassador in any spelling, even at once', async () => {
  const name = anEmail().split('@')[0]!
  const spellings = [`${name}@gmail.com`, `${name[0]}.${name.slice(1)}@gmail.com`, `${name}+club@gmail.com`]
  const applications = await Promise.all(spellings.map((email) => anApplication(email)))
  const ids = await Promise.all(applications.map(accept))
  expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
})

test('a joined ambassador stays the same under a later address of the account', async () => {
  const application = await anApplication()
  const { id } = await accept(application)
  const member = await aSignedInMember(started)
  await db
    .updateTable('ambassador')
    .set({ member_id: member.id, email: null, joined_at: new Date() })
    .where('id', '=', id)
    .execute()
  const later = await anApplication(member.email)
  expect(await accept(later)).toEqual({ id })
  expect(await mailsOf(member.email)).toEqual(['ambassador-received', 'ambassador-already'])
  // The previous address belongs to someone who never was an ambassador.
  const another = await anApplication(application.email)
  expect(another.applicationId).not.toBe(later.applicationId)
})

test('an ended ambassadorship resumes, with an email to the current address', async () => {
  const application = await anApplication()
  const { id } = await accept(application)
  const member = await aSignedInMember(started)
  const before = new Date('2026-01-01T00:00:00Z')
  await db
    .updateTable('ambassador')
    .set({ member_id: member.id, email: null, joined_at: before, since: before, ended_at: new Date() })
    .where('id', '=', id)
    .execute()
  expect(await accept(await anApplication(member.email))).toEqual({ id })
  const [row] = await ambassadorsOf(id)
  expect(row!.ended_at).toBeNull()
  expect(row!.since.getTime()).toBeGreaterThan(before.getTime())
  expect(await mailsOf(member.email)).toEqual(['ambassador-received', 'ambassador-again'])
})

test('a failed acceptance leaves neither an ambassador nor an email', async () => {
  const application = await anApplication()
  await expect(
    transaction(db, async (db) => {
      await createAmbassador(db, services, application)
      throw new Error('given up')
    }),
  ).rejects.toThrow('given up')
  expect(await invitationsTo(application.email)).toEqual([])
  expect(
    await db.selectFrom('ambassador').select('id').where('email', '=', application.email).execute(),
  ).toEqual([])
})
