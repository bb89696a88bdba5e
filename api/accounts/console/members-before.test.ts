import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'

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
