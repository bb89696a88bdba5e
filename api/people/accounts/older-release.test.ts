import { afterAll, expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'
import { hashSecret } from '#api/platform/keys.ts'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

test('accounts of an older release: closed ones stay closed, rights granted by the setting are recorded, and nothing else changes', async () => {
  const { client, upgrade } = await databaseBefore('0019-closed-accounts')
  await client.query(`
    insert into member (id, email, active, password_hash, address_proved_at, updated_at, erased_at) values
      ('active', 'active@example.org', true, 'hash', now(), '2026-01-01Z', null),
      ('closed', 'closed@example.org', false, 'hash', now(), '2026-01-02Z', null),
      ('pending', 'pending@example.org', false, null, null, '2026-01-03Z', null),
      ('erased', 'erased-1@erased.invalid', false, null, null, '2026-01-04Z', now()),
      ('boss', 'böss+1@example.org', true, 'hash', now(), '2026-01-05Z', null);
    insert into audit_entry (action, subject_kind, subject_id) values
      ('rights-granted-by-setting', 'member', 'boss'), ('rights-granted-by-setting', 'member', 'erased'),
      ('member-updated', 'member', 'active')`)
  await upgrade()
  const { rows } = await client.query(
    `select id, closed_at = updated_at as "isClosed" from member order by updated_at`,
  )
  expect(rows).toEqual([
    { id: 'active', isClosed: null },
    { id: 'closed', isClosed: true },
    { id: 'pending', isClosed: null },
    { id: 'erased', isClosed: null },
    { id: 'boss', isClosed: null },
  ])
  const granted = await client.query('select address_hash from configured_grant')
  expect(granted.rows).toEqual([{ address_hash: hashSecret('böss+1@example.org') }])
})

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

test('emails the acting administrator and the member about a new administrator, and logs it', async () => {
  const promoter = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  const upgrade = () =>
    call(api.updateMember, { body: { id: member.id, isWriteAccessAdmin: true } }, { token: promoter.token })
  expect((await upgrade()).status).toBe(200)
  // A repetition changes nothing.
  expect((await upgrade()).status).toBe(200)
  const notices = await mailsTo(promoter.email)
  expect(notices).toMatchObject([{ kind: 'administrator-made', text: expect.stringContaining(member.email) }])
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['rights-changed'])
  const { detail } = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', member.id)
    .where('actor_id', '=', promoter.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({
    fields: ['isWriteAccessAdmin'],
    changes: ['isWriteAccessAdmin false → true'],
  })
})

test('members of an older release are listed, found by words, and sorted by last sign-in', async () => {
  const { client, upgrade } = await databaseBefore('0024-members-at-scale')
  await client.query(`
    insert into member (id, email, first_name, active, manage_news, created_at, erased_at) values
      ('a', 'anna@example.org', 'Anna', true, 1, '2030-01-01', null),
      ('b', 'b@example.org', '李娜', false, 0, '2030-01-02', null),
      ('c', 'erased-c@erased.invalid', '', false, 0, '2030-01-03', now());
    insert into member_client (member_id, client_hash, last_seen_at) values ('a', 'x', '2030-02-01');
    insert into totp (member_id, sealed_secret, confirmed_at) values ('a', '', now()), ('b', '', null);
    insert into kyc_application (member_id, full_name, email, status, created_at) values
      ('a', 'A', 'a@example.org', 'approved', '2030-01-05'), ('a', 'A', 'a@example.org', 'submitted', '2030-01-06')`)
  await upgrade()
  const summaries = await client.query(`
    select id, is_active, is_staff, has_factor, kyc_state, last_sign_in_at at time zone 'UTC' as seen
    from member_summary order by id`)
  expect(summaries.rows).toMatchObject([
    { id: 'a', is_active: true, is_staff: true, has_factor: true, kyc_state: 'approved' },
    { id: 'b', is_active: false, is_staff: false, has_factor: false, kyc_state: null },
  ])
  expect(summaries.rows[1].seen.getUTCFullYear()).toBe(1970)
  const words = await client.query(`select id from member_words where grams @> '{李娜}'`)
  expect(words.rows).toEqual([{ id: 'b' }])
})
