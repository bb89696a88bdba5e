import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { BulkOutcome } from '#contract/platform/bulk.ts'
import { DAY } from '#contract/platform/durations.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { aSignedInMember, anEmail, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const clerk = await aSignedInMember(started, { manage_employee: 2, display_name: 'Clerk' })
const colleague = await aSignedInMember(started, { manage_employee: 2, display_name: 'Colleague' })

const { anApplication, read, review, accept, decline, inReview } = ambassadorDesk(started, clerk)

test('a review starts with its first reviewer, ends with a decision, and is in the history', async () => {
  const begun = await inReview()
  expect(begun).toMatchObject({ status: 'in_review', assignee: { id: clerk.id, name: 'Clerk' } })
  const { body } = await decline(begun.id, begun.lastUpdated)
  expect(body).toMatchObject({ status: 'declined', reason: 'Enough of us there.', isReasonTold: true })
  expect(body.steps.map(({ kind, by }) => [kind, by])).toEqual([
    ['declined', 'Clerk'],
    ['in_review', 'Clerk'],
  ])
  expect(body.erasedAt).toBe(new Date(Date.parse(body.stateAt) + 180 * DAY).toISOString())
})

test('an accepted application links to its ambassador, even an existing one', async () => {
  const begun = await inReview()
  const { body } = await accept(begun.id, begun.lastUpdated)
  const { ambassadorId } = body
  expect(await read(begun.id)).toMatchObject({ status: 'accepted', erasedAt: null, waitsLong: false })
  const profile = await call(api.getConsoleAmbassador, { params: { id: ambassadorId! } }, as(clerk))
  expect(profile.body).toMatchObject({ id: ambassadorId, applicationId: begun.id })
  const again = await anApplication('en', begun.email)
  const reviewed = await review(again, (await read(again)).lastUpdated)
  expect(reviewed.body.ambassadorId).toBeNull()
  expect((await accept(again, reviewed.body.lastUpdated)).body.ambassadorId).toBe(ambassadorId)
  const board = await call(api.readApplicationBoard, {}, as(clerk))
  const rows = board.body.columns.flatMap((column) => column.rows)
  expect(
    rows
      .filter((row) => row.ambassadorId === ambassadorId)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([again, begun.id].toSorted())
})

test('flags unanswered applications, and erases them after a year with an email to the sender', async () => {
  const [fresh, late, received, begun] = [
    await anApplication(),
    await anApplication(),
    await anApplication('zh-CN'),
    (await inReview()).id,
  ]
  const { db } = started.services
  const age = (id: string, days: number) =>
    db
      .updateTable('ambassador_application')
      .set({ created_at: new Date(Date.now() - days * DAY), state_at: new Date(Date.now() - days * DAY) })
      .where('id', '=', id)
      .execute()
  await age(late, 15)
  expect([(await read(fresh)).waitsLong, (await read(late)).waitsLong]).toEqual([false, true])
  const { stateAt, erasedAt } = await read(late)
  expect(Date.parse(erasedAt!) - Date.parse(stateAt)).toBe(365 * DAY)
  await age(late, 364)
  const emails = await Promise.all([received, begun].map(async (id) => (await read(id)).email))
  await age(received, 366)
  await age(begun, 366)
  // Two concurrent instances notify the applicant only once.
  await Promise.all([cleanUp(started.services), cleanUp(started.services)])
  const left = await db
    .selectFrom('ambassador_application')
    .select('id')
    .where('id', 'in', [fresh, late, received, begun])
    .execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([fresh, late].toSorted())
  for (const [at, email] of emails.entries()) {
    const told = (await mailsTo(email)).filter(({ kind }) => kind === 'ambassador-unanswered')
    expect(told).toHaveLength(1)
    expect(/\p{Script=Han}/u.test(told[0]!.subject)).toBe(at === 0)
    expect(told[0]!.text).toContain('/ambassador-program#apply')
  }
})

test('emails a declined applicant in their language, with the reason only if it is for them', async () => {
  const told = await inReview('zh-CN')
  const untold = await inReview()
  await decline(told.id, told.lastUpdated, true)
  await decline(untold.id, untold.lastUpdated, false)
  const chinese = (await mailsTo(told.email)).at(-1)!
  const english = (await mailsTo(untold.email)).at(-1)!
  expect([chinese.kind, english.kind]).toEqual(['ambassador-declined', 'ambassador-declined'])
  expect(chinese.subject).toMatch(/\p{Script=Han}/u)
  expect(chinese.text).toContain('Enough of us there.')
  expect(english.text).not.toMatch(/\p{Script=Han}|Enough of us/u)
  expect(english.text).not.toContain('{')
})

test('makes an accepted applicant an ambassador in the same transaction, and invites them', async () => {
  const begun = await inReview('zh-CN')
  const { status, body } = await accept(begun.id, begun.lastUpdated)
  expect([status, body.status]).toEqual([200, 'accepted'])
  expect((await mailsTo(begun.email)).at(-1)).toMatchObject({
    kind: 'ambassador-invited',
    subject: expect.stringMatching(/\p{Script=Han}/u) as string,
  })
  expect((await accept(begun.id, body.lastUpdated)).problem.code).toBe('conflict')
  expect((await decline(begun.id, body.lastUpdated)).problem.code).toBe('conflict')
})

test('accepts no application without a review, and records one for an immediate decline', async () => {
  const id = await anApplication()
  const { lastUpdated } = await read(id)
  expect((await accept(id, lastUpdated)).problem.code).toBe('conflict')
  const { body } = await decline(id, lastUpdated)
  expect(body.steps.map(({ kind }) => kind)).toEqual(['declined', 'in_review'])
})

test('rejects a decision based on an outdated state', async () => {
  const begun = await inReview()
  const assigned = await call(
    api.assignAmbassadorApplication,
    { params: { id: begun.id }, body: { to: colleague.id, lastUpdated: begun.lastUpdated } },
    as(colleague),
  )
  expect(assigned.body.assignee).toEqual({ id: colleague.id, name: 'Colleague' })
  for (const act of [accept, decline])
    expect((await act(begun.id, begun.lastUpdated)).problem.code).toBe('conflict')
  const email = anEmail()
  const id = await anApplication('en', email)
  const { lastUpdated } = await read(id)
  expect(await anApplication('en', email, { city: 'Bergen' })).toBe(id)
  expect((await review(id, lastUpdated)).problem.code).toBe('conflict')
  expect((await review(id, (await read(id)).lastUpdated)).body).toMatchObject({ city: 'Bergen' })
})

test('of two concurrent decisions, one succeeds', async () => {
  const begun = await inReview()
  const answers = await Promise.all([
    accept(begun.id, begun.lastUpdated),
    decline(begun.id, begun.lastUpdated, true, colleague),
    decline(begun.id, begun.lastUpdated),
    accept(begun.id, begun.lastUpdated, colleague),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  const { status, steps } = await read(begun.id)
  expect(steps).toHaveLength(2)
  const kinds = (await mailsTo(begun.email)).map(({ kind }) => kind)
  expect(kinds).toEqual([
    'ambassador-received',
    status === 'accepted' ? 'ambassador-invited' : 'ambassador-declined',
  ])
})

const rowOf = ({ id, lastUpdated }: { id: string; lastUpdated: string }) => ({ id, version: lastUpdated })
const shortOf = ({ body }: { body: { rows: readonly BulkOutcome[] } }) =>
  body.rows.map(({ isDone, code }) => (isDone ? 'done' : code))

test('declines several with one reason, and refuses those changed, decided, one’s own, or gone', async () => {
  const ids = await Promise.all([anApplication(), anApplication(), anApplication(), anApplication()])
  const own = await anApplication('en', clerk.email.replace('@', '+club@'))
  const asRead = await Promise.all(ids.map((id) => read(id)))
  await review(ids[1], asRead[1]!.lastUpdated, colleague)
  await decline(ids[3], asRead[3]!.lastUpdated, false, colleague)
  const { lastUpdated } = asRead[0]!
  const rows = [...asRead.map(rowOf), ...[own, 'nothing', ids[0]].map((id) => rowOf({ id, lastUpdated }))]
  const send = (isPreview: boolean) =>
    call(
      api.declineAmbassadorApplications,
      { body: { isPreview, rows, reason: 'Enough of us there.', isReasonTold: true } },
      as(clerk),
    )
  const expected = ['done', 'conflict', 'done', 'conflict', 'forbidden', 'not_found']
  expect(shortOf(await send(true)).slice(0, -1)).toEqual(expected)
  expect((await mailsTo(asRead[0]!.email)).map(({ kind }) => kind)).toEqual(['ambassador-received'])
  // The last row names the first application again.
  expect(shortOf(await send(false))).toEqual([...expected, 'conflict'])
  expect((await mailsTo(asRead[0]!.email)).map(({ kind }) => kind)).toEqual([
    'ambassador-received',
    'ambassador-declined',
  ])
})

test('two concurrent declines of the same applications do not deadlock', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => anApplication()))
  const rows = (await Promise.all(ids.map((id) => read(id)))).map(rowOf)
  const send = (rows: ReturnType<typeof rowOf>[], by: TestMember) =>
    call(
      api.declineAmbassadorApplications,
      { body: { isPreview: false, rows, reason: 'No.', isReasonTold: false } },
      as(by),
    )
  const answers = await Promise.all([send(rows, clerk), send(rows.toReversed(), colleague)])
  const [one, two] = [shortOf(answers[0]), shortOf(answers[1]).toReversed()]
  for (const at of rows.keys()) expect([one[at], two[at]].toSorted()).toEqual(['conflict', 'done'])
})

test('assigns several to one colleague, and skips those that were decided', async () => {
  const [open, decided] = [await read(await anApplication()), await read(await anApplication())]
  await decline(decided.id, decided.lastUpdated, false, colleague)
  const body = { isPreview: false, rows: [rowOf(open), rowOf(await read(decided.id))], to: colleague.id }
  const answer = await call(api.assignAmbassadorApplications, { body }, as(clerk))
  expect(shortOf(answer)).toEqual(['done', 'conflict'])
  expect((await read(open.id)).assignee?.id).toBe(colleague.id)
})

test('staff can neither see nor decide on applications of their own address, in any spelling', async () => {
  const applicant = await aSignedInMember(started, { manage_employee: 2, is_write_access_admin: true })
  const id = await anApplication('en', applicant.email.replace('@', '+me@'))
  const { lastUpdated } = await read(id)
  const params = { id }
  const body = { lastUpdated }
  const declining = { ...body, reason: 'x', isReasonTold: false }
  const by = as(applicant)
  const answers = [
    await call(api.getAmbassadorApplication, { params }, by),
    await call(api.reviewAmbassadorApplication, { params, body }, by),
    await call(api.acceptAmbassadorApplication, { params, body }, by),
    await call(api.declineAmbassadorApplication, { params, body: declining }, by),
    await call(api.assignAmbassadorApplication, { params, body: { ...body, to: applicant.id } }, by),
    await call(api.addApplicationNote, { params, body: { text: 'x' } }, by),
    await call(api.eraseAmbassadorApplication, { params }, by),
  ]
  expect(new Set(answers.map(({ problem }) => problem.code))).toEqual(new Set(['forbidden']))
  const listed = await call(api.listAmbassadorApplications, { query: { q: id } }, by)
  expect(listed.body).toEqual([])
  expect((await call(api.listAmbassadorApplications, { query: { q: id } }, as(clerk))).body).toHaveLength(1)
  const given = await call(
    api.assignAmbassadorApplication,
    { params, body: { ...body, to: applicant.id } },
    as(clerk),
  )
  expect(given.problem.errors).toMatchObject([{ path: 'to', code: 'one_of' }])
})
