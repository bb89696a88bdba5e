import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { BulkOutcome } from '#contract/platform/bulk.ts'
import { anApplication, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const [one, two] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]

async function aCase(member?: TestMember) {
  const applicant = member ?? (await aSignedInMember(started))
  return { applicant, id: (await anApplication(started, applicant))._id }
}
type Given = { to?: 'me' | 'nobody'; takeOver?: boolean; isPreview?: boolean; by?: TestMember }

const assign = (ids: string[], { to = 'me', takeOver, isPreview = false, by = one }: Given = {}) =>
  call(
    api.assignKycCases,
    { body: { isPreview, rows: ids.map((id) => ({ id })), to, ...(takeOver !== undefined && { takeOver }) } },
    { token: by.token },
  )
const shortOf = (rows: readonly BulkOutcome[]) => rows.map(({ isDone, code }) => (isDone ? 'done' : code))
const outcomes = async (ids: string[], given?: Given) => shortOf((await assign(ids, given)).body.rows)
const rowOf = (id: string) =>
  services.db
    .selectFrom('kyc_application')
    .select(['status', 'assignee_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const assignmentsOf = (id: string) =>
  services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'detail'])
    .where('subject_id', '=', id)
    .where('action', '=', 'kyc-assigned')
    .orderBy('id')
    .execute()

test('a preview says what would happen to each case, and changes and sends nothing', async () => {
  const [free, taken] = [await aCase(), await aCase()]
  const own = await aCase(one)
  await outcomes([taken.id], { by: two })
  const ids = [free.id, taken.id, own.id, randomUUID()]
  expect(await outcomes(ids, { isPreview: true })).toEqual(['done', 'conflict', 'forbidden', 'not_found'])
  expect(await outcomes(ids, { isPreview: true, takeOver: true })).toEqual([
    'done',
    'done',
    'forbidden',
    'not_found',
  ])
  expect(await rowOf(free.id)).toEqual({ status: 'submitted', assignee_id: null })
  expect(await rowOf(taken.id)).toMatchObject({ assignee_id: two.id })
  expect(await assignmentsOf(free.id)).toEqual([])
  expect((await mailsTo(free.applicant.email)).map(({ kind }) => kind)).toEqual(['kyc-submitted'])
})

test('assigns each case like the single action, with its review, email, and audit log entry', async () => {
  const cases = [await aCase(), await aCase()]
  expect(await outcomes(cases.map(({ id }) => id))).toEqual(['done', 'done'])
  for (const { id, applicant } of cases) {
    expect(await rowOf(id)).toEqual({ status: 'in_review', assignee_id: one.id })
    expect(await assignmentsOf(id)).toEqual([{ actor_id: one.id, detail: { to: 'me', isTakenOver: false } }])
    expect((await mailsTo(applicant.email)).map(({ kind }) => kind)).toEqual([
      'kyc-submitted',
      'kyc-in-review',
    ])
  }
})

test('gives back own cases, and those of colleagues only if asked to', async () => {
  const [mine, theirs] = [await aCase(), await aCase()]
  await outcomes([mine.id])
  await outcomes([theirs.id], { by: two })
  const ids = [mine.id, theirs.id]
  expect(await outcomes(ids, { to: 'nobody' })).toEqual(['done', 'conflict'])
  expect([await rowOf(mine.id), await rowOf(theirs.id)]).toMatchObject([
    { assignee_id: null },
    { assignee_id: two.id },
  ])
  expect(await outcomes([theirs.id], { to: 'nobody', takeOver: true })).toEqual(['done'])
  expect(await rowOf(theirs.id)).toEqual({ status: 'in_review', assignee_id: null })
})

test('of two reviewers who assign the same cases to themselves at once, each case has one', async () => {
  const ids = (await Promise.all([1, 2, 3].map(() => aCase()))).map(({ id }) => id)
  const [first, second] = await Promise.all([
    outcomes(ids),
    outcomes(ids.toReversed(), { by: two }).then((rows) => rows.toReversed()),
  ])
  for (const [at, id] of ids.entries()) {
    expect([first[at], second[at]].toSorted()).toEqual(['conflict', 'done'])
    expect(await rowOf(id)).toMatchObject({ assignee_id: first[at] === 'done' ? one.id : two.id })
  }
})

test.each([{ manage_finance: 1 as const }, { manage_employee: 2 as const }])(
  'staff with %o can neither assign cases nor preview it',
  async (rights) => {
    const { id } = await aCase()
    const by = await aSignedInMember(started, rights)
    for (const isPreview of [true, false]) expect((await assign([id], { isPreview, by })).status).toBe(403)
    expect(await rowOf(id)).toEqual({ status: 'submitted', assignee_id: null })
  },
)
