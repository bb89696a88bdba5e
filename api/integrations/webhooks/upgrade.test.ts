import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'

test('after the upgrade, whoever last set up an endpoint and has a finance level is responsible for it', async () => {
  const { client, upgrade } = await databaseBefore('0219-webhooks-without-finance')
  await client.query(`
    insert into member (id, email, manage_finance) values
      ('creator', 'c@example.org', 0), ('finance', 'f@example.org', 1), ('other', 'o@example.org', 0);
    insert into webhook_endpoint (id, url, event_types, created_by) values
      ('taken', 'https://a.example/', '{order.completed}', 'creator'),
      ('described', 'https://a.example/', '{order.completed}', 'creator');
    insert into audit_entry (actor_id, action, subject_kind, subject_id, detail) values
      ('creator', 'webhook-created', 'webhook', 'taken', '{}'),
      ('finance', 'webhook-updated', 'webhook', 'taken', '{"fields": ["events"]}'),
      ('other', 'webhook-secret-rotated', 'webhook', 'taken', '{}'),
      ('finance', 'webhook-updated', 'webhook', 'described', '{"fields": ["description"]}')`)
  await upgrade()
  const { rows } = await client.query(
    'select id, finance_responsible_by as by from webhook_endpoint order by id',
  )
  expect(rows).toEqual([
    { id: 'described', by: 'creator' },
    { id: 'taken', by: 'finance' },
  ])
})
