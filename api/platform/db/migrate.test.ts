import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { databaseBefore, makeDatabase } from '#tests/setup/backups.ts'
import { StartRefused } from '../start-refused.ts'
import { dumpDatabase } from './dump.ts'
import { aFolder, query } from './embedded/trial.ts'
import { applyMigrations, migrateToLatest, readMigrations } from './migrate.ts'
import { restoreDatabase } from './restore.ts'

/** Rows of an installation of the first release, in every table that later migrations touch. */
const rowsOfTheFirstRelease = `
  insert into member (id, email, active, password_hash, manage_finance) values
    ('anna', 'anna@example.org', true, 'hash', 0), ('officer', 'officer@example.org', true, 'hash', 2),
    ('closed', 'closed@example.org', false, 'hash', 0), ('unproved', 'unproved@example.org', false, null, 0);
  insert into sign_up (member_id, code_hash, password_hash, password_length_ok_for_staff, expires_at)
    values ('unproved', 'a', 'hash', true, now());
  insert into session (id, member_id, refresh_hash, idle_ms, expires_at) values ('s', 'anna', 'r', 1000, now());
  insert into member_client (member_id, client_hash) values ('anna', 'c');
  insert into totp (member_id, sealed_secret, confirmed_at) values ('officer', '', now());
  insert into mail (to_address, kind, state) values ('anna@example.org', 'welcome', 'waiting'), ('anna@example.org', 'welcome', 'failed');
  insert into sale (is_open, updated_by) values (true, 'officer');
  insert into pay_method (code, position, chain, is_open, rate, decimals, min_amount, max_amount, receiving_address)
    values ('BTC', 0, 'bitcoin', true, 1, 8, 0, 1, 'a');
  insert into token_order (id, member_id, status, amount, tx_id, receiving_address) values
    ('unpaid', 'anna', 'pending', 1, '', 'a'), ('not payable', 'anna', 'pending', null, '', ''),
    ('reported', 'anna', 'pending', 1, 'T 1', 'a'), ('shared', 'closed', 'pending', 1, '0xT1', 'a'),
    ('completed', 'anna', 'completed', 1, 'T 2', 'a'), ('cancelled', 'anna', 'cancelled', 1, '', 'a');
  insert into order_step (order_id, kind) values ('reported', 'payment_reported'), ('completed', 'completed');
  insert into kyc_application (id, member_id, full_name, email, status, assignee_id) values
    ('approved', 'anna', 'Anna Sample', 'anna@example.org', 'approved', 'officer'),
    ('submitted', 'closed', '李娜', 'closed@example.org', 'submitted', null);
  insert into kyc_photo (application_id, n, file_key, content_type, bytes) values ('submitted', 1, 'k', 'image/jpeg', 1);
  insert into kyc_step (application_id, from_status, to_status, by_member_id) values ('approved', 'submitted', 'approved', 'officer');
  insert into ambassador_application (email, full_name, city, country) values ('b@example.org', 'B', 'C', 'D');
  insert into announcement (id, title, slug, category, language, content, content_summary) values ('post', 'T', 't', 'news', 'en', '<p>x</p>', 'x');
  insert into announcement_version (announcement_id, n, title, category, language, content, published_at) values ('post', 1, 'T', 'news', 'en', '<p>x</p>', now());
  insert into audit_entry (actor_id, action, subject_kind, subject_id) values ('anna', 'signed-in', 'member', 'anna'), ('officer', 'kyc-decided', 'kyc', 'approved')`

const counted = `
  select (select count(*)::int from member) as members, (select count(*)::int from token_order) as orders,
    (select count(*)::int from kyc_application) as cases, (select count(*)::int from announcement_version) as versions,
    (select count(*)::int from audit_entry) as entries, (select count(*)::int from mail) as mails,
    (select count(*)::int from kysely_migration) as migrations`

const afterTheFirstRelease = '0012-proved-addresses'

test('migrates a database of the first release with rows', async () => {
  const { client, upgrade } = await databaseBefore(afterTheFirstRelease)
  await client.query(rowsOfTheFirstRelease)
  const { migrations: _, ...rows } = (await client.query(counted)).rows[0]
  await upgrade()
  const all = await readMigrations()
  expect((await client.query(counted)).rows[0]).toEqual({ ...rows, migrations: all.length })
  expect((await client.query('select name from kysely_migration order by name collate "C"')).rows).toEqual(
    all.map(({ name }) => ({ name })),
  )
  await upgrade()
})

test('migrates every older state', { tags: ['nightly'], timeout: 1_200_000 }, async () => {
  const all = await readMigrations()
  const url = await makeDatabase()
  for (let n = 1; n < all.length; n += 1) {
    if (all[n - 1]!.name === afterTheFirstRelease) await query(url, rowsOfTheFirstRelease)
    await applyMigrations(url, all.slice(0, n))
    const older = await makeDatabase(url)
    await expect(migrateToLatest(older), `from ${all[n - 1]!.name}`).resolves.toBeUndefined()
    expect(await query(older, counted)).toMatchObject([{ migrations: all.length }])
  }
})

const first = { name: '0001-first', text: 'create table one (id int primary key)' }
const second = { name: '0002-second', text: `insert into one values (1); insert into one values (1)` }
const third = { name: '0003-third', text: 'create table three ()' }

test('a failed migration is rolled back completely, earlier ones are kept, and the start is refused with a sentence', async () => {
  const url = await makeDatabase()
  const error = await applyMigrations(url, [first, second, third]).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartRefused)
  expect((error as Error).message).toMatch(/^The upgrade .* at 0002-second \(23505, one, one_pkey\)\. .*\.$/)
  expect(await query(url, 'select name from kysely_migration')).toEqual([{ name: first.name }])
  expect(await query(url, 'select from one')).toEqual([])

  // Nothing stays locked, and a fixed release continues from there.
  const mended = { ...second, text: 'insert into one values (1)' }
  await applyMigrations(url, [first, mended, third])
  expect(await query(url, 'select id from one')).toEqual([{ id: 1 }])
  expect(await query(url, `select to_regclass('three')::text as three`)).toEqual([{ three: 'three' }])
})

test('concurrent starts apply each migration once', async () => {
  const url = await makeDatabase()
  const slow = { ...second, text: 'select pg_sleep(0.05); insert into one values (1)' }
  await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url, [first, slow, third])))
  expect(await query(url, 'select id from one')).toEqual([{ id: 1 }])
})

test('a step that waits for a lock gives way to those behind it, and succeeds in the end', async () => {
  const url = await makeDatabase()
  await applyMigrations(url, [first])
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin; select from one')
  const applied = applyMigrations(url, [
    first,
    { name: '0002', text: 'alter table one add column name text' },
  ])
  await expect
    .poll(() =>
      query(url, `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ '^alter'`),
    )
    .toHaveLength(1)
  // Queued behind it, and would have to wait for the reader.
  await query(url, 'insert into one values (1)')
  expect(await query(url, 'select name from kysely_migration')).toHaveLength(1)
  await reader.query('commit')
  await applied
  expect(await query(url, 'select name from one')).toEqual([{ name: null }])
})

const concurrently = {
  name: '0002-index',
  text: `-- outside a transaction\n-- Why; and why so.\ncreate index concurrently if not exists one_id on one (id);\n`,
}

test('a step outside a transaction builds its index during writes, and again after an interruption', async () => {
  const url = await makeDatabase()
  await applyMigrations(url, [first])
  await query(url, 'create index one_id on one (id)')
  // The state after an interruption.
  await query(url, `update pg_index set indisvalid = false where indexrelid = 'one_id'::regclass`).catch(
    () => {},
  )
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin; insert into one values (1)')
  const instances = Promise.all([1, 2].map(() => applyMigrations(url, [first, concurrently])))
  await query(url, 'insert into one values (2)')
  await writer.query('commit')
  await instances
  expect(
    await query(url, `select indisvalid as it from pg_index where indexrelid = 'one_id'::regclass`),
  ).toEqual([{ it: true }])
  expect(await query(url, 'select name from kysely_migration')).toHaveLength(2)
})

test('a step outside a transaction ignores short time limits of the role', async () => {
  const url = await makeDatabase()
  await applyMigrations(url, [first])
  const name = new URL(url).pathname.slice(1)
  await query(url, `alter database ${name} set statement_timeout = 300`)
  await query(url, `alter database ${name} set lock_timeout = 200`)
  const slow = {
    name: '0002-slow',
    text: `-- outside a transaction\nselect pg_sleep(0.5);\n${concurrently.text}`,
  }
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin; insert into one values (1)')
  const applied = applyMigrations(url, [first, slow])
  await setTimeout(1000)
  await writer.query('commit')
  await applied
  expect(await query(url, 'select name from kysely_migration')).toHaveLength(2)
})

test('a database of a newer release, or with other migrations, is refused and left unchanged', async () => {
  const url = await makeDatabase()
  await applyMigrations(url, [first, third])
  const refusal = { constructor: StartRefused, message: expect.stringContaining('newer release') }
  await expect(applyMigrations(url, [first])).rejects.toMatchObject(refusal)
  await expect(applyMigrations(url, [first, second, third])).rejects.toMatchObject(refusal)
  expect(await query(url, 'select from one')).toEqual([])
})

test("the level of a dump does not depend on the server's sort order", async () => {
  const spoken = {
    migrations: ['0003-mail-states', '0003-mails-in'],
    migrate: (to: string) =>
      query(
        to,
        `create collation spoken (provider = icu, locale = 'en-u-ka-shifted');
         create table kysely_migration (name text collate spoken primary key);
         insert into kysely_migration values ('0003-mail-states'), ('0003-mails-in'); create table one (id int)`,
      ).then(() => undefined),
  }
  const url = await makeDatabase()
  await spoken.migrate(url)
  const file = join(aFolder(), 'spoken.dump')
  await dumpDatabase(url, file)
  const { migrations } = await restoreDatabase(await makeDatabase(), file, spoken)
  expect(migrations).toEqual(spoken.migrations)
})
