import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db } = started.services
const clerk = await aSignedInMember(started, { manage_employee: 2, display_name: 'Clerk' })
const colleague = await aSignedInMember(started, { manage_employee: 2, display_name: 'Colleague' })

const { anApplication, read, review, accept, decline, inReview } = ambassadorDesk(started, clerk)

test('is assigned to colleagues who may act, and can be unassigned', async () => {
  const reader = await aSignedInMember(started, { manage_employee: 1, display_name: 'Reader' })
  const gone = await aSignedInMember(started, { manage_employee: 2, active: false })
  const id = await anApplication()
  const assign = async (to: string | null) =>
    call(
      api.assignAmbassadorApplication,
      { params: { id }, body: { to, lastUpdated: (await read(id)).lastUpdated } },
      as(clerk),
    )
  for (const nobody of [reader.id, gone.id, 'nobody'])
    expect((await assign(nobody)).problem.code).toBe('validation_failed')
  expect((await assign(colleague.id)).body).toMatchObject({
    status: 'received',
    assignee: { name: 'Colleague' },
  })
  const { body } = await assign(null)
  expect(body.assignee).toBeNull()
  expect(body.steps.map(({ kind, to }) => [kind, to])).toEqual([
    ['released', null],
    ['assigned', 'Colleague'],
  ])
  const { body: colleagues } = await call(api.listApplicationColleagues, {}, as(reader))
  const known = colleagues.map(({ id }) => id)
  expect(known).toEqual(expect.arrayContaining([clerk.id, colleague.id]))
  for (const nobody of [reader.id, gone.id]) expect(known).not.toContain(nobody)
})

test('notes are removed by their author or an administrator, and are in the applicant’s export', async () => {
  const applicant = await aSignedInMember(started)
  const id = await anApplication('en', applicant.email)
  const { body } = await call(
    api.addApplicationNote,
    { params: { id }, body: { text: ' Speaks well. ' } },
    as(clerk),
  )
  expect(body.notes).toMatchObject([{ text: 'Speaks well.', by: 'Clerk', isRemovable: true }])
  expect((await read(id, colleague)).notes).toMatchObject([{ isRemovable: false }])
  const params = { id, noteId: body.notes[0]!.id }
  expect((await call(api.removeApplicationNote, { params }, as(colleague))).status).toBe(404)
  const exported = await call(api.exportMember, { query: {} }, as(applicant))
  expect(exported.body).toMatchObject({
    ambassadorApplications: [{ language: 'en', status: 'received', notes: [{ text: 'Speaks well.' }] }],
  })
  expect(JSON.stringify(exported.body)).not.toContain('Clerk')
  expect((await call(api.removeApplicationNote, { params }, as(clerk))).body.notes).toEqual([])
})

test('is erased at its sender’s request, with everything connected and its emails', async () => {
  const begun = await inReview()
  await call(api.addApplicationNote, { params: { id: begun.id }, body: { text: 'x' } }, as(clerk))
  const erase = (id: string) => call(api.eraseAmbassadorApplication, { params: { id } }, as(clerk))
  expect((await erase(begun.id)).body).toEqual({ erased: true })
  for (const table of ['ambassador_step', 'ambassador_status_link'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('application_id')
      .where('application_id', '=', begun.id)
      .execute()
    expect([table, rows]).toEqual([table, []])
  }
  const notes = await db
    .selectFrom('staff_note')
    .select('id')
    .where('ambassador_application_id', '=', begun.id)
    .execute()
  expect(notes).toEqual([])
  const noted = await db.selectFrom('erasure_to_note').select('kind').where('id', '=', begun.id).execute()
  expect(noted).toEqual([{ kind: 'ambassador' }])
  expect(await started.mailsTo(begun.email)).toEqual([])
})

test('keeps emails about another application from the address', async () => {
  const begun = await inReview()
  await decline(begun.id, begun.lastUpdated)
  const other = await anApplication('en', begun.email)
  await call(api.eraseAmbassadorApplication, { params: { id: begun.id } }, as(clerk))
  expect(await started.mailsTo(begun.email)).not.toEqual([])
  await call(api.eraseAmbassadorApplication, { params: { id: other } }, as(clerk))
  expect(await started.mailsTo(begun.email)).toEqual([])
})

test('an accepted one is erased with its invitation until its sender joins, and then with the account', async () => {
  const accepted = await inReview()
  expect((await accept(accepted.id, accepted.lastUpdated)).body.isErasable).toBe(true)
  const erase = (id: string) => call(api.eraseAmbassadorApplication, { params: { id } }, as(clerk))
  const again = await anApplication('en', accepted.email)
  const { body } = await review(again, (await read(again)).lastUpdated)
  await accept(again, body.lastUpdated)
  expect((await erase(accepted.id)).body).toEqual({ erased: true })
  const known = db.selectFrom('ambassador').select('id').where('email', '=', accepted.email)
  expect(await known.execute()).toEqual([])
  expect((await call(api.getAmbassadorApplication, { params: { id: again } }, as(clerk))).status).toBe(404)
  expect(await started.mailsTo(accepted.email)).toEqual([])

  const joined = await inReview()
  await accept(joined.id, joined.lastUpdated)
  const member = await aSignedInMember(started)
  await db.updateTable('member').set({ email: joined.email }).where('id', '=', member.id).execute()
  await call(api.joinAsAmbassador, { body: null }, as(member))
  expect((await read(joined.id)).isErasable).toBe(false)
  expect((await erase(joined.id)).problem.code).toBe('conflict')
})

test('erases an expired invitation with its applications, even after the ambassadorship ended', async () => {
  const long = new Date(Date.now() - 181 * DAY)
  const acceptOne = async () => {
    const begun = await inReview()
    await accept(begun.id, begun.lastUpdated)
    return begun
  }
  const [untaken, ended, again, young] = [
    await acceptOne(),
    await acceptOne(),
    await acceptOne(),
    await acceptOne(),
  ]
  const old = [untaken, ended, again].map(({ email }) => email)
  await db.updateTable('ambassador').set({ since: long }).where('email', 'in', old).execute()
  await db.updateTable('ambassador').set({ ended_at: long }).where('email', '=', ended.email).execute()
  await db.updateTable('ambassador_application').set({ state_at: long }).where('email', 'in', old).execute()
  const another = await anApplication('en', again.email)
  await accept(another, (await review(another, (await read(another)).lastUpdated)).body.lastUpdated)
  await cleanUp(started.services)
  const left = await db
    .selectFrom('ambassador_application')
    .select('id')
    .where('id', 'in', [untaken.id, ended.id, again.id, young.id])
    .execute()
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([again.id, young.id]))
  const emails = await db
    .selectFrom('ambassador')
    .select('email')
    .where('email', 'in', [...old, young.email])
    .execute()
  expect(new Set(emails.map(({ email }) => email))).toEqual(new Set([again.email, young.email]))
})

test('an ambassador keeps the application after changing their address, and erases it with the account', async () => {
  const begun = await inReview()
  await accept(begun.id, begun.lastUpdated)
  const member = await aSignedInMember(started)
  await db
    .updateTable('ambassador')
    .set({ member_id: member.id, email: null, joined_at: new Date() })
    .where('email', '=', begun.email)
    .execute()
  const exported = await call(api.exportMember, { query: {} }, as(member))
  expect(exported.body).toMatchObject({ ambassadorApplications: [{ fullName: begun.fullName }] })
  await call(api.eraseMember, { body: { current: member.password } }, as(member))
  const left = await db.selectFrom('ambassador_application').select('id').where('id', '=', begun.id).execute()
  expect(left).toEqual([])
})

test('an accepted applicant who never joined is erased with their account', async () => {
  const member = await aSignedInMember(started)
  const id = await anApplication('en', member.email)
  const { body } = await review(id, (await read(id)).lastUpdated)
  await accept(id, body.lastUpdated)
  await call(api.eraseMember, { body: { current: member.password } }, as(member))
  const left = await db.selectFrom('ambassador').select('id').where('email', '=', member.email).execute()
  expect(left).toEqual([])
})

test('erases a declined application after the retention period, and no others', async () => {
  const declined = await inReview()
  await decline(declined.id, declined.lastUpdated)
  const young = await inReview()
  await decline(young.id, young.lastUpdated)
  const waiting = await inReview()
  const long = new Date(Date.now() - 181 * DAY)
  await db
    .updateTable('ambassador_application')
    .set({ state_at: long, created_at: long, updated_at: long })
    .where('id', 'in', [declined.id, waiting.id])
    .execute()
  await cleanUp(started.services)
  const left = await db
    .selectFrom('ambassador_application')
    .select('id')
    .where('id', 'in', [declined.id, young.id, waiting.id])
    .execute()
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young.id, waiting.id]))
})

test('unassigns applications of a colleague who leaves, and keeps their steps without the name', async () => {
  const officer = await aSignedInMember(started, { manage_employee: 2, display_name: 'Leaving' })
  const id = await anApplication()
  await review(id, (await read(id)).lastUpdated, officer)
  await db.updateTable('member').set({ manage_employee: 0 }).where('id', '=', officer.id).execute()
  const erased = await call(api.eraseMember, { body: { current: officer.password } }, as(officer))
  expect(erased.status).toBe(200)
  const now = await read(id)
  expect(now.assignee).toBeNull()
  expect(JSON.stringify(now)).not.toMatch(/Leaving|erased\.invalid/)
})

test('logs each step, access, and decision without typed text', async () => {
  const begun = await inReview()
  await decline(begun.id, begun.lastUpdated)
  await call(api.listAmbassadorApplications, { query: { q: begun.email, status: 'declined' } }, as(clerk))
  const entries = await db
    .selectFrom('audit_entry')
    .select(['action', 'detail', 'subject_id'])
    .where('actor_id', '=', clerk.id)
    .where('subject_kind', '=', 'ambassador-application')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  const about = entries.filter(({ subject_id }) => subject_id === begun.id).map(({ action }) => action)
  expect(new Set(about)).toEqual(
    new Set([
      'ambassador-application-declined',
      'ambassador-application-reviewed',
      'ambassador-application-viewed',
    ]),
  )
  expect(entries[0]).toMatchObject({ action: 'ambassador-application-listed', detail: { count: 1 } })
  expect(JSON.stringify(entries)).not.toMatch(/Enough of us|example\.org/)
})
