import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { ambassadorDesk } from '#tests/ambassador-desk.ts'
import { anAdmin, aNote, anOrder, anApplication, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { databaseBefore } from '#tests/setup/backups.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'
import type { NotedRecord } from './note.queries.ts'

const started = await startApi({}, afterAll)
const { call } = started
const { db } = started.services
const clerk = await aSignedInMember(started, {
  manage_employee: 2,
  manage_finance: 2,
  display_name: 'Clerk',
})
const colleague = await aSignedInMember(started, { manage_employee: 2, manage_finance: 2 })
const { anApplication: anAmbassadorApplication } = ambassadorDesk(started, clerk)

/** How to read and change the notes about each kind of record, and how to create one for a member. */
const kinds = {
  member: {
    of: async (member: TestMember) => member.id,
    read: async (id: string, by: TestMember) =>
      (await call(api.getConsoleMember, { params: { id } }, as(by))).body.notes,
    endpoints: { add: api.addMemberNote, remove: api.removeMemberNote },
    audited: 'note',
  },
  order: {
    of: async (member: TestMember) => (await anOrder(started, member.id)).id,
    read: async (id: string, by: TestMember) =>
      (await call(api.getConsoleOrder, { params: { id } }, as(by))).body.notes,
    endpoints: { add: api.addOrderNote, remove: api.removeOrderNote },
    audited: 'order-note',
  },
  kyc: {
    of: async (member: TestMember) => (await anApplication(started, member))._id,
    read: async (id: string, by: TestMember) =>
      (await call(api.getKycCase, { params: { id } }, as(by))).body.notes,
    endpoints: { add: api.addKycCaseNote, remove: api.removeKycCaseNote },
    audited: 'kyc-note',
  },
  'ambassador-application': {
    of: (member: TestMember) => anAmbassadorApplication('en', member.email),
    read: async (id: string, by: TestMember) =>
      (await call(api.getAmbassadorApplication, { params: { id } }, as(by))).body.notes,
    endpoints: { add: api.addApplicationNote, remove: api.removeApplicationNote },
    audited: 'ambassador-application-note',
  },
} as const
const everyKind = Object.entries(kinds).map(([kind, how]) => ({
  kind: kind as NotedRecord['kind'],
  ...how,
  add: (id: string, text: string, by: TestMember) =>
    call(how.endpoints.add, { params: { id }, body: { text } }, as(by)),
  remove: (id: string, noteId: string, by: TestMember) =>
    call(how.endpoints.remove, { params: { id, noteId } }, as(by)),
}))

const auditOf = (id: string) =>
  db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', id)
    .where('action', 'like', '%note-%')
    .orderBy('id')
    .execute()

test.each(everyKind)('staff add notes about a $kind and delete their own', async (each) => {
  const id = await each.of(await aSignedInMember(started))
  expect((await each.add(id, ' \n ', clerk)).problem.code).toBe('validation_failed')
  const added = await each.add(id, 'First line.\nSecond line.', clerk)
  const [note] = added.body.notes
  expect(note).toMatchObject({ text: 'First line.\nSecond line.', by: 'Clerk', isRemovable: true })
  expect(await each.read(id, colleague)).toMatchObject([{ id: note!.id, isRemovable: false }])
  expect((await each.remove(id, note!.id, colleague)).problem.code).toBe('not_found')
  expect((await each.remove(id, note!.id, clerk)).body.notes).toEqual([])
  const entry = { actor_id: clerk.id, detail: {} }
  expect(await auditOf(id)).toEqual([
    { ...entry, action: `${each.audited}-added` },
    { ...entry, action: `${each.audited}-removed` },
  ])
})

test.each(everyKind)('administrators with the level delete any note about a $kind', async (each) => {
  const id = await each.of(await aSignedInMember(started))
  const noteId = await aNote(started, clerk.id, { kind: each.kind, id })
  const chief = await anAdmin(started)
  await db.updateTable('member').set({ manage_finance: 2 }).where('id', '=', chief.id).execute()
  expect(await each.read(id, chief)).toMatchObject([{ id: noteId, isRemovable: true }])
  expect((await each.remove(id, noteId, chief)).body.notes).toEqual([])
})

test.each(everyKind)('nobody adds or deletes notes about their own $kind', async (each) => {
  const subject = await aSignedInMember(started, {
    is_write_access_admin: true,
    manage_employee: 2,
    manage_finance: 2,
  })
  const id = await each.of(subject)
  const noteId = await aNote(started, clerk.id, { kind: each.kind, id })
  expect((await each.add(id, 'I am reliable.', subject)).problem.code).toBe('forbidden')
  expect((await each.remove(id, noteId, subject)).problem.code).toBe('forbidden')
})

test('a note belongs to its record, and no note is removed through another one', async () => {
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const noteId = await aNote(started, clerk.id, { kind: 'member', id: member.id })
  for (const each of everyKind) {
    const id = await each.of(other)
    expect((await each.remove(id, noteId, clerk)).problem.code).toBe('not_found')
  }
})

test('staff do not see the notes about their own order', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { id } = await anOrder(started, officer.id)
  await aNote(started, clerk.id, { kind: 'order', id })
  expect(await kinds.order.read(id, clerk)).toHaveLength(1)
  expect(await kinds.order.read(id, officer)).toEqual([])
})

test('the export contains notes except those about identity cases, and the erasure deletes all', async () => {
  const member = await aSignedInMember(started)
  await db.updateTable('member').set({ address_proved_at: new Date() }).where('id', '=', member.id).execute()
  for (const each of everyKind) await each.add(await each.of(member), `About the ${each.kind}.`, clerk)
  const { body } = await call(api.exportMember, {}, as(member))
  expect(body['staffNotes']).toMatchObject([{ on: 'note', text: 'About the member.' }])
  expect(body['orders']).toMatchObject([{ notes: [{ text: 'About the order.' }] }])
  expect(body['ambassadorApplications']).toMatchObject([
    { notes: [{ text: 'About the ambassador-application.' }] },
  ])
  expect(JSON.stringify(body)).not.toMatch(/About the kyc|Clerk/)
  // An approved identity and the orders are retained, but not the notes about them.
  await db
    .updateTable('kyc_application')
    .set({ status: 'approved' })
    .where('member_id', '=', member.id)
    .execute()
  const erased = await call(api.eraseMember, { body: { current: member.password } }, as(member))
  expect(erased.status).toBe(200)
  const left = await db.selectFrom('staff_note').select('text').where('text', 'like', 'About the %').execute()
  expect(left).toEqual([])
})

test('an applicant who deletes an application deletes the notes about it', async () => {
  const applicant = await aSignedInMember(started)
  const { _id: id } = await anApplication(started, applicant)
  await aNote(started, clerk.id, { kind: 'kyc', id })
  expect((await call(api.deleteKyc, { body: { id } }, as(applicant))).status).toBe(200)
  const left = await db.selectFrom('staff_note').select('id').where('application_id', '=', id).execute()
  expect(left).toEqual([])
})

test('the upgrade keeps all notes, and the release before can still read and write its own', async () => {
  const { client, upgrade } = await databaseBefore('0274-staff-notes')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org'), ('clerk', 'clerk@example.org');
    insert into ambassador_application (id, email, full_name, city, country) values ('a', 'm@example.org', 'M', 'Oslo', 'Norway');
    insert into member_note (id, member_id, kind, author_id, text, at) values
      ('n1', 'm', 'note', 'clerk', 'Called.', '2026-01-01Z'), ('n2', 'm', 'rights', null, 'Trial.', '2026-01-02Z');
    insert into ambassador_note (id, application_id, author_id, text, at) values ('n3', 'a', 'clerk', 'Speaks well.', '2026-01-03Z')`)
  await upgrade()
  await client.query(`
    insert into member_note (member_id, kind, author_id, text) values ('m', 'note', 'clerk', 'Called again.');
    insert into ambassador_note (application_id, author_id, text) values ('a', 'clerk', 'Asked again.');
    delete from ambassador_note where id = 'n3' and application_id = 'a'`)
  const { rows } = await client.query(
    `select member_id as member, ambassador_application_id as application, kind, author_id as author, text from staff_note order by at`,
  )
  const about = (member: string | null, application: string | null) => ({ member, application })
  expect(rows).toEqual([
    { ...about('m', null), kind: 'note', author: 'clerk', text: 'Called.' },
    { ...about('m', null), kind: 'rights', author: null, text: 'Trial.' },
    { ...about('m', null), kind: 'note', author: 'clerk', text: 'Called again.' },
    { ...about(null, 'a'), kind: 'note', author: 'clerk', text: 'Asked again.' },
  ])
  await client.query(`delete from ambassador_application where id = 'a'`)
  expect((await client.query('select text from ambassador_note')).rows).toEqual([])
})
