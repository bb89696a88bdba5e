import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db } = started.services
const both = { manage_employee: 2, manage_finance: 2 } as const
const clerk = await aSignedInMember(started, { ...both, display_name: 'Clerk' })
const colleague = await aSignedInMember(started, { ...both, display_name: 'Colleague' })
const reader = await aSignedInMember(started, { manage_employee: 1, manage_finance: 1 })

/** How to assign and list each kind of record, and how to create one for a member. */
const kinds = [
  {
    kind: 'order',
    of: async (member: TestMember) => (await anOrder(started, member.id)).id,
    assign: api.assignOrder,
    assignSeveral: api.assignOrders,
    colleagues: api.listOrderColleagues,
    read: async (id: string, by: TestMember) =>
      (await call(api.getConsoleOrder, { params: { id } }, as(by))).body.assignee,
    list: async (assignee: 'me' | 'nobody', by: TestMember) =>
      (await call(api.listConsoleOrders, { query: { assignee, limit: 100 } }, as(by))).body,
    updatedAt: (id: string) =>
      db.selectFrom('token_order').select('updated_at').where('id', '=', id).executeTakeFirstOrThrow(),
  },
  {
    kind: 'member',
    of: async (member: TestMember) => member.id,
    assign: api.assignMember,
    assignSeveral: api.assignMembers,
    colleagues: api.listMemberColleagues,
    read: async (id: string, by: TestMember) =>
      (await call(api.getConsoleMember, { params: { id } }, as(by))).body.assignee,
    list: async (assignee: 'me' | 'nobody', by: TestMember) =>
      (await call(api.listConsoleMembers, { query: { assignee, limit: 100 } }, as(by))).body,
    updatedAt: (id: string) =>
      db.selectFrom('member').select('updated_at').where('id', '=', id).executeTakeFirstOrThrow(),
  },
].map((each) => ({
  ...each,
  give: (
    id: string,
    { to, from = null, by = clerk }: { to: string | null; from?: string | null; by?: TestMember },
  ) => call(each.assign, { params: { id }, body: { to, from } }, as(by)),
}))

test.each(kinds)('assigns a $kind, and lists those of the caller and of nobody', async (each) => {
  const [id, other] = [
    await each.of(await aSignedInMember(started)),
    await each.of(await aSignedInMember(started)),
  ]
  const before = await each.updatedAt(id)
  const assigned = await each.give(id, { to: colleague.id })
  expect(assigned.body).toEqual({ assignee: { id: colleague.id, name: 'Colleague' } })
  expect(await each.read(id, reader)).toEqual(assigned.body.assignee)
  expect((await each.list('me', colleague)).map((row) => [row.id, row.assignee?.name])).toEqual([
    [id, 'Colleague'],
  ])
  const unassigned = (await each.list('nobody', reader)).map((row) => row.id)
  expect(unassigned).toContain(other)
  expect(unassigned).not.toContain(id)
  // Approvals and the member's own changes depend on it.
  expect(await each.updatedAt(id)).toEqual(before)
  const released = await each.give(id, { to: null, from: colleague.id })
  expect(released.body).toEqual({ assignee: null })
  const audit = await db
    .selectFrom('audit_entry')
    .select(['actor_id', 'detail'])
    .where('action', '=', `${each.kind}-assigned`)
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  expect(audit).toEqual([
    { actor_id: clerk.id, detail: { to: colleague.id } },
    { actor_id: clerk.id, detail: { to: 'nobody' } },
  ])
})

test.each(kinds)('of two colleagues who assign a $kind at once, one is told', async (each) => {
  const id = await each.of(await aSignedInMember(started))
  const answers = await Promise.all([
    each.give(id, { to: clerk.id }),
    each.give(id, { to: colleague.id, by: colleague }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const done = answers.find(({ status }) => status === 200)!
  expect(await each.read(id, reader)).toEqual(done.body.assignee)
})

test.each(kinds)('a $kind is assigned only to those who can act on it', async (each) => {
  const officer = await aSignedInMember(started, { ...both, display_name: 'Officer' })
  const id = await each.of(officer)
  const withoutLevel = await aSignedInMember(started, { manage_news: 2 })
  const inactive = await aSignedInMember(started, { ...both, active: false })
  for (const { id: to } of [reader, withoutLevel, inactive, officer]) {
    const { problem } = await each.give(id, { to })
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'to' }] })
  }
  const offered = (await call(each.colleagues, {}, as(reader))).body.map((one) => one.id)
  expect(offered).toEqual(expect.arrayContaining([clerk.id, colleague.id, officer.id]))
  for (const one of [reader, withoutLevel, inactive]) expect(offered).not.toContain(one.id)
  expect((await each.give(id, { to: null, by: officer })).problem.code).toBe('forbidden')
})

test.each(kinds)('several $kinds are assigned as they were seen', async (each) => {
  const ids = [await each.of(await aSignedInMember(started)), await each.of(await aSignedInMember(started))]
  await each.give(ids[1]!, { to: clerk.id })
  const body = {
    isPreview: true,
    rows: [{ id: ids[0]!, version: '' }, { id: ids[1]! }],
    to: colleague.id,
  }
  const preview = await call(each.assignSeveral, { body }, as(clerk))
  expect(preview.body.rows.map(({ isDone, code }) => [isDone, code])).toEqual([
    [true, null],
    [false, 'conflict'],
  ])
  expect(await each.read(ids[0]!, clerk)).toBeNull()
  const rows = [{ id: ids[0]! }, { id: ids[1]!, version: clerk.id }]
  const done = await call(each.assignSeveral, { body: { ...body, isPreview: false, rows } }, as(clerk))
  expect(done.body.rows.map(({ isDone }) => isDone)).toEqual([true, true])
  for (const id of ids) expect(await each.read(id, clerk)).toMatchObject({ id: colleague.id })
})

test('no one is assigned an order that shares a transaction with one of theirs', async () => {
  const officer = await aSignedInMember(started, both)
  const paid = async (memberId: string) => {
    const { id } = await anOrder(started, memberId)
    const step = { kind: 'payment_reported', tx_id: 'abc', tx_key: 'abc' } as const
    await db
      .insertInto('order_step')
      .values({ order_id: id, ...step })
      .execute()
    return id
  }
  await paid(officer.id)
  const id = await paid((await aSignedInMember(started)).id)
  const { problem } = await kinds[0]!.give(id, { to: officer.id })
  expect(problem).toMatchObject({ errors: [{ path: 'to' }] })
})

test('an erasure of a colleague leaves their orders and members to nobody', async () => {
  const leaving = await aSignedInMember(started, both)
  const member = await aSignedInMember(started)
  const records = []
  for (const each of kinds) {
    const id = await each.of(member)
    await each.give(id, { to: leaving.id })
    records.push({ each, id })
  }
  const erased = await call(api.eraseMember, { body: { current: leaving.password } }, as(leaving))
  expect(erased.status).toBe(200)
  for (const { each, id } of records) expect(await each.read(id, clerk)).toBeNull()
})
