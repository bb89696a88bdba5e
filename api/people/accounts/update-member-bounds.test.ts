import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { User } from '#contract/people/members.ts'
import { anEmail, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi, type Answered } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started

const admin = await aSignedInMember(started, { is_write_access_admin: true })
const officer = await aSignedInMember(started, { manage_employee: 2 })

const update = (by: TestMember, body: Record<string, unknown>): Promise<Answered<User>> =>
  call(api.updateMember, { body }, { token: by.token })
const read = async (member: TestMember): Promise<User> =>
  (await call(api.getMember, { params: { id: member.id } }, { token: officer.token })).body

const own = {
  displayName: 'Sample Name',
  firstName: '名',
  mobile: '+86 138 0000 0000',
  personalMember: false,
}

test('an unchanged profile records nothing and makes no other form outdated', async () => {
  const member = await aSignedInMember(started)
  const { db } = started.services
  const entriesOf = () =>
    db
      .selectFrom('audit_entry')
      .select('id')
      .where('subject_id', '=', member.id)
      .where('action', '=', 'member-updated')
      .execute()
  await update(member, { id: member.id, ...own })
  const [before, entries] = [await read(member), await entriesOf()]
  for (const same of [{}, own, { displayName: own.displayName, email: member.email }])
    expect((await update(member, { id: member.id, ...same })).body).toMatchObject(own)
  for (const same of [{}, { active: true }, { manageNews: 0, isWriteAccessAdmin: false }])
    expect((await update(admin, { id: member.id, ...same })).status).toBe(200)
  expect(await read(member)).toEqual(before)
  expect(await entriesOf()).toEqual(entries)
  const asked = await update(member, { id: member.id, email: anEmail() })
  expect(asked.status).toBe(200)
  await update(member, { id: member.id, email: member.email })
  expect(await entriesOf()).toHaveLength(entries.length + 2)
})

test('allows 300 changes of one’s own profile per hour', async () => {
  const member = await aSignedInMember(started)
  const { db, keys } = started.services
  const row = { count: 299, resets_at: new Date(Date.now() + 60_000) }
  await db
    .insertInto('throttle')
    .values({ key_hash: keys.blind(`update own ${member.id}`), ...row })
    .execute()
  expect((await update(member, { id: member.id, displayName: 'One' })).status).toBe(200)
  expect((await update(member, { id: member.id, displayName: 'Two' })).problem.code).toBe('rate_limited')
  expect((await update(officer, { id: member.id, displayName: 'Two' })).status).toBe(200)
})
