import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { listenToChanges } from '#api/platform/db/changes.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { aWrittenProfile } from '#tests/ambassadors.ts'
import { ambassadorsAtWork } from '#tests/invitations-at-work.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { db } = services
const { asBoard, own, join, save, seen, approve, joined, published, pageOf, publicNames } =
  await ambassadorsAtWork(started)
const clerk = await aSignedInMember(started, { manage_employee: 2 })
const { anApplication, read, review, accept } = ambassadorDesk(started, clerk)

async function acceptFrom(email: string): Promise<string> {
  const id = await anApplication('en', email)
  const { body } = await review(id, (await read(id)).lastUpdated)
  expect((await accept(id, body.lastUpdated)).status).toBe(200)
  return id
}

const end = (id: string) =>
  call(
    api.setAmbassadorStatus,
    { params: { id }, body: { from: 'active', to: 'ended', reason: 'As agreed.' } },
    asBoard,
  )

/** Counts how often every instance was notified that the pages of ambassadors changed. */
async function toldOften() {
  const changes = listenToChanges(services.config.databaseUrl!)
  onTestFinished(() => changes.close())
  let told = 0
  changes.on((topic) => {
    if (topic === 'ambassadors') told += 1
  })
  // Once it listens.
  await expect.poll(() => told, { timeout: 20_000 }).toBe(1)
  return () => told
}

test('an applicant accepted again is an ambassador at once, and their public profile awaits review', async () => {
  const { member, id, slug } = await published()
  await end(id)
  const told = await toldOften()
  await acceptFrom(member.email)
  await expect.poll(told, { timeout: 20_000 }).toBe(2)
  expect((await pageOf(slug)).body).toMatchObject({ endedAt: null, profile: null })
  expect(await publicNames()).not.toContain(slug)
  expect((await own(member)).ambassador).toMatchObject({ standing: 'hidden', reason: '' })
  await save(member, { submit: true })
  const { submitted } = await seen(id)
  // An approver who saw the profile as visible must not approve it once it is hidden.
  const late = await call(
    api.approveAmbassadorProfile,
    {
      params: { id },
      body: { basedOn: submitted!.updatedAt, en: aWrittenProfile.en, cn: aWrittenProfile.cn },
    },
    asBoard,
  )
  expect(late.problem.code).toBe('conflict')
  expect((await approve(id)).body.standing).toBe('public')
  expect(await publicNames()).toContain(slug)
  expect((await mailsTo(member.email)).at(-1)!.kind).toBe('ambassador-profile-approved')
})

test('a former ambassador invited at another of their addresses rejoins with their profile', async () => {
  const { member, id, slug } = await published()
  await end(id)
  const email = anEmail()
  const application = await acceptFrom(email)
  expect((await own(member)).state).toBe('joined')
  await db.updateTable('member').set({ email }).where('id', '=', member.id).execute()
  expect((await own(member)).state).toBe('invited')
  const answers = await Promise.all([join(member), join(member)])
  expect(answers.map(({ status, body }) => [status, body.ambassador?.id, body.ambassador?.standing])).toEqual(
    [1, 2].map(() => [200, id, 'hidden']),
  )
  expect((await pageOf(slug)).body).toMatchObject({ endedAt: null, profile: null })
  const left = await db.selectFrom('ambassador').select('id').where('email', '=', email).execute()
  expect(left).toEqual([])
  const exported = await call(api.exportMember, { query: {} }, { token: member.token })
  expect(exported.body).toMatchObject({ ambassadorApplications: [{ status: 'accepted' }] })
  expect((await read(application)).isErasable).toBe(false)
})

test('every accepted application stays with the ambassador, whatever their address', async () => {
  const { member, id } = await joined()
  const applications = [await acceptFrom(member.email), await acceptFrom(member.email)]
  await db.updateTable('member').set({ email: anEmail() }).where('id', '=', member.id).execute()
  const exported = await call(api.exportMember, { query: {} }, { token: member.token })
  expect((exported.body as { ambassadorApplications: unknown[] }).ambassadorApplications).toHaveLength(2)
  expect((await seen(id)).applicationId).toBe(applications[1])
  await call(api.eraseMember, { body: { current: member.password } }, { token: member.token })
  const left = await db
    .selectFrom('ambassador_application')
    .select('id')
    .where('id', 'in', applications)
    .execute()
  expect(left).toEqual([])
})
