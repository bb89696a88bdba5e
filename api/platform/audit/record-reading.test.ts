import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api, type EndpointName } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { anApplication, anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const officer = await aSignedInMember(started, { manage_employee: 1, manage_finance: 1 })
const somebody = await aSignedInMember(started)

const entriesOf = (actor: TestMember) =>
  db
    .selectFrom('audit_entry')
    .select(['action', 'subject_kind', 'subject_id', 'detail'])
    .where('actor_id', '=', actor.id)
    .orderBy('id')
    .execute()

const by = ({ token }: TestMember) => ({ token })

test('logs access to every list of people, identity cases, or orders', () => {
  const lists = Object.entries(api as Record<EndpointName, Endpoint>).filter(
    ([, { access, output }]) =>
      access.who === 'staff' && ['employee', 'finance'].includes(access.level) && output.def.type === 'array',
  )
  // Lists that are not logged: the events of one case, because opening the case is logged; email templates, which
  // contain sample values; colleagues, to assign a record to or to mention in its notes, who are staff; and standard
  // reasons, which name no one.
  const unwritten = lists.filter(([, endpoint]) => !endpoint.auditsAccess).map(([name]) => name)
  expect(unwritten.toSorted()).toEqual([
    'listApplicationColleagues',
    'listApplicationReaders',
    'listKycCaseEvents',
    'listKycCaseReaders',
    'listKycReasons',
    'listMailTemplates',
    'listMemberColleagues',
    'listMemberReaders',
    'listOrderColleagues',
    'listOrderReaders',
  ])
  expect(lists.length).toBeGreaterThan(6)
})

test('logs who listed or searched members, with filters and hits; typed text only as a keyed hash', async () => {
  await started.call(api.listMembers, { query: { limit: 2 } }, by(officer))
  const search = { q: somebody.email.toUpperCase(), active: true }
  await started.call(api.findMembers, { body: search, query: { limit: 5 } }, by(officer))
  await started.call(api.findMembers, { body: { q: ` ${somebody.email}` } }, by(officer))
  await started.call(api.findMembers, { body: { q: 'nobody at all' } }, by(officer))
  await started.call(api.listMembers, { query: { after: 'zzz' } }, by(officer))
  const entries = await entriesOf(officer)
  expect(entries.map(({ action, subject_kind, subject_id }) => [action, subject_kind, subject_id])).toEqual(
    Array(5).fill(['member-listed', 'member', null]),
  )
  const [all, upper, padded, none, later] = entries.map(({ detail }) => detail as Record<string, unknown>)
  expect(all).toEqual({ count: 2 })
  expect(upper).toEqual({ count: 1, active: true, q: expect.stringMatching(/^hashed:[\w-]{43}$/) })
  expect(padded!['q']).toBe(upper!['q'])
  expect(none).toEqual({ count: 0, q: expect.stringMatching(/^hashed:/) })
  expect(none!['q']).not.toBe(upper!['q'])
  expect(later).toMatchObject({ isLaterPage: true })
  expect(JSON.stringify(entries)).not.toMatch(/person|example|nobody/i)
})

test('logs who opened another member’s record, but not their own', async () => {
  const reader = await aSignedInMember(started, { manage_employee: 1 })
  await started.call(api.getMember, { params: { id: somebody.id } }, by(reader))
  await started.call(api.findMember, { body: { email: somebody.email } }, by(reader))
  await started.call(api.getMember, { params: { id: reader.id } }, by(reader))
  await started.call(api.getMember, { params: { id: somebody.id } }, by(somebody))
  const entries = await entriesOf(reader)
  expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual(
    Array(2).fill(['member-viewed', somebody.id]),
  )
  expect(JSON.stringify(entries)).not.toContain(somebody.email)
  expect(await entriesOf(somebody)).toEqual([])
})

test('logs lists of cases and orders, but neither rejected requests nor one’s own', async () => {
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  await started.call(api.listKycCases, { query: { status: 'waiting', q: 'Li Na' } }, by(reader))
  await started.call(api.listKyc, {}, by(reader))
  await started.call(api.findKyc, { body: { ETHadd: `0x${'a'.repeat(40)}` } }, by(reader))
  await started.call(api.listKycOfMember, { body: { memberId: somebody.id } }, by(reader))
  await started.call(api.listOrders, {}, by(reader))
  await started.call(api.findOrders, { body: { memberId: somebody.id } }, by(reader))
  await started.call(api.findOrders, { body: {} }, by(somebody))
  expect((await started.call(api.listMembers, {}, by(somebody))).status).toBe(403)
  const entries = await entriesOf(reader)
  expect(entries.map(({ action }) => action)).toEqual([
    'kyc-listed',
    'kyc-listed',
    'kyc-listed',
    'kyc-listed',
    'order-listed',
    'order-listed',
  ])
  expect(entries[0]!.detail).toEqual({ count: 0, status: 'waiting', q: expect.stringMatching(/^hashed:/) })
  expect(entries[3]!.detail).toEqual({ count: 0, memberId: somebody.id })
  expect(JSON.stringify(entries)).not.toMatch(/Li Na|aaaa/i)
  expect(await entriesOf(somebody)).toEqual([])
})

test('logs a search without results', async () => {
  const reader = await aSignedInMember(started, { manage_employee: 1, manage_finance: 1 })
  const id = randomUUID()
  const statuses = [
    await started.call(api.findMember, { body: { email: 'Nobody@Example.org' } }, by(reader)),
    await started.call(api.findMember, { body: { id } }, by(reader)),
    await started.call(api.getMember, { params: { id } }, by(reader)),
    await started.call(api.getMember, { params: { id: 'nobody' } }, by(reader)),
    await started.call(api.getKyc, { params: { id } }, by(reader)),
    await started.call(api.getKycCase, { params: { id } }, by(reader)),
    await started.call(api.getKycPhoto, { params: { id, n: 1 } }, by(reader)),
  ].map(({ status }) => status)
  expect(statuses).toEqual(Array(7).fill(404))
  const entries = await entriesOf(reader)
  const hashed = expect.stringMatching(/^hashed:[\w-]{43}$/)
  expect(entries.map(({ action, subject_id, detail }) => [action, subject_id, detail])).toEqual([
    ['member-listed', null, { count: 0, email: hashed }],
    ['member-listed', null, { count: 0, id }],
    ['member-listed', null, { count: 0, id }],
    ['member-listed', null, { count: 0, id: hashed }],
    ['kyc-listed', null, { count: 0, id }],
    ['kyc-listed', null, { count: 0, id }],
    ['kyc-listed', null, { count: 0, id, n: 1 }],
  ])
  expect(JSON.stringify(entries)).not.toMatch(/nobody/i)
  await started.call(api.getMember, { params: { id } }, by(somebody))
  await started.call(api.findMember, { body: { email: 'nobody@example.org' } }, by(somebody))
  expect(await entriesOf(somebody)).toEqual([])
})

test('logs opening a case or a picture once', async () => {
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  const { _id: id } = await anApplication(started, await aSignedInMember(started))
  await started.call(api.getKyc, { params: { id } }, by(reader))
  await started.call(api.getKycCase, { params: { id } }, by(reader))
  expect((await entriesOf(reader)).map(({ action, subject_id }) => [action, subject_id])).toEqual(
    Array(2).fill(['kyc-viewed', id]),
  )
})

test('treats an ID that no server created as typed text', async () => {
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  for (const memberId of ['Li Na', '\ud800', 'x@example.org'])
    expect((await started.call(api.listKycOfMember, { body: { memberId } }, by(reader))).status).toBe(200)
  for (const { detail } of await entriesOf(reader))
    expect(detail).toEqual({ count: 0, memberId: expect.stringMatching(/^hashed:/) })
})

test('shows nothing that cannot be logged', async () => {
  const broken = await startApi()
  const reader = await aSignedInMember(broken, { manage_employee: 1 })
  await broken.services.db.schema.dropTable('audit_entry').cascade().execute()
  const answer = await broken.call(api.listMembers, {}, by(reader))
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toContain(reader.email)
})

test('logs who opened another member’s order or payment, but not their own', async () => {
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  const [order, own] = [await anOrder(started, somebody.id), await anOrder(started, reader.id)]
  for (const { id } of [order, own])
    for (const name of ['getOrder', 'getOrderPayment'] as const)
      expect((await started.call(api[name], { params: { id } }, by(reader))).status).toBe(200)
  await started.call(api.getOrder, { params: { id: order.id } }, by(somebody))
  const entries = await entriesOf(reader)
  expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual(
    Array(2).fill(['order-viewed', order.id]),
  )
  expect(await entriesOf(somebody)).toEqual([])
})
