import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'

test('a case of an older release has one submission, is in review if started, and unassigned once decided', async () => {
  const { client, upgrade } = await databaseBefore('0014-cases')
  await client.query(`
    insert into member (id, email)
      select name, name || '@example.org' from unnest(array['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'officer']) name;
    insert into kyc_application
      (id, member_id, full_name, email, status, assignee_id, assigned_at, is_final, final_proposed_by, final_proposed_at, created_at, deleted_at)
    values
      ('untouched', 'm1', 'A', 'a@example.org', 'submitted', null, null, false, null, null, '2026-01-01Z', null),
      ('taken', 'm2', 'B', 'b@example.org', 'submitted', 'officer', now(), false, 'officer', now(), '2026-01-02Z', null),
      ('judged', 'm3', 'C', 'c@example.org', 'submitted', null, null, false, null, null, '2026-01-03Z', null),
      ('deleted', 'm4', 'D', 'd@example.org', 'submitted', 'officer', now(), false, null, null, '2026-01-04Z', now()),
      ('approved', 'm5', 'E', 'e@example.org', 'approved', 'officer', now(), false, 'officer', now(), '2026-01-05Z', null),
      ('final', 'm6', 'F', 'f@example.org', 'rejected', 'officer', now(), true, 'officer', now(), '2026-01-06Z', null);
    insert into kyc_photo (application_id, n, file_key, content_type, bytes, verdict) values
      ('untouched', 1, 'k1', 'image/jpeg', 1, 'open'),
      ('judged', 1, 'k2', 'image/jpeg', 1, 'refused')`)
  await upgrade()
  const { rows } = await client.query(`
    select id, status, assignee_id as holder, round, is_final as "isFinal", final_proposed_by as proposer,
      waiting_since = created_at as "waitsSinceSent" from kyc_application order by created_at`)
  const row = (
    id: string,
    status: string,
    holder: string | null,
    proposer: string | null,
    isFinal = false,
  ) => ({
    id,
    status,
    holder,
    round: 1,
    isFinal,
    proposer,
    waitsSinceSent: true,
  })
  expect(rows).toEqual([
    row('untouched', 'submitted', null, null),
    row('taken', 'in_review', 'officer', 'officer'),
    row('judged', 'in_review', null, null),
    // A stub, which no one works on.
    row('deleted', 'submitted', 'officer', null),
    row('approved', 'approved', null, null),
    row('final', 'rejected', null, 'officer', true),
  ])
  const steps = await client.query(
    'select application_id as id, from_status as "from", to_status as "to", by_member_id as by from kyc_step order by application_id',
  )
  expect(steps.rows).toEqual([
    { id: 'judged', from: 'submitted', to: 'in_review', by: null },
    { id: 'taken', from: 'submitted', to: 'in_review', by: 'officer' },
  ])
  const photos = await client.query('select round, replaced_in_round as replaced from kyc_photo')
  expect(photos.rows).toEqual([
    { round: 1, replaced: null },
    { round: 1, replaced: null },
  ])
})
