import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'
import { hashSecret } from '#api/keys.ts'

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
