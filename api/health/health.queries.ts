import { sql } from 'kysely'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../platform/db/database.ts'
import { ago } from '../platform/db/expressions.ts'
import type { MailKind } from '../platform/mail/mail-kinds.ts'
import { unpaid } from '../money/orders/order-deadline.queries.ts'

/** Fails if the database does not respond. */
export const pingDatabase = (db: Tx) => sql`select 1`.execute(db)

/** Counting stops here, so that the rest of a long queue is not read. */
const countMax = 10_000

type Server = {
  version: string
  bytes: string
  used: number
  max: number
  standbys: number
  lagSeconds: number | null
  migrations: number
  lastMigration: string | null
}

export async function readServer(db: Tx): Promise<Server> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::text as bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as max,
      (select count(*)::int from pg_stat_replication) as standbys,
      (select max(extract(epoch from replay_lag))::float8 from pg_stat_replication) as "lagSeconds",
      (select count(*)::int from kysely_migration) as migrations,
      (select max(name) from kysely_migration) as "lastMigration"`.execute(db)
  return rows[0]!
}

type Standing = {
  major: number
  isReadOnly: boolean
  isSuperuser: boolean
  mayCreate: boolean
  ownsTables: boolean
  reserved: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
}

/** The rights of the program's database role: enough for the next release, and no more. */
export async function readStanding(db: Tx): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select current_setting('server_version_num')::int / 10000 as major,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      has_schema_privilege(current_schema(), 'create') as "mayCreate",
      not exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not pg_has_role(relowner, 'usage')) as "ownsTables",
      coalesce(current_setting('superuser_reserved_connections', true)::int, 0) as reserved,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit"`.execute(db)
  return rows[0]!
}

/** The clock of the database, which decides what is due. */
export async function readClock(db: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** Whether a job run or a heartbeat is in the future by the clock of the database. */
export async function hasFutureRecords(db: Tx, patience: number): Promise<boolean> {
  const { rows } = await sql<{ isSo: boolean }>`
    select exists (select from job_run where began_at > clock_timestamp() + make_interval(secs => ${patience / SECOND}))
      or exists (select from program_instance where seen_at > clock_timestamp() + make_interval(secs => ${patience / SECOND}))
      as "isSo"`.execute(db)
  return rows[0]!.isSo
}

type Outbox = {
  waiting: number
  oldest: Date | null
  failed: number
  lastError: string | null
}

/** `failed` covers the last week. Each part reads an index, and no more rows than it counts. */
export async function readOutbox(db: Tx): Promise<Outbox> {
  const { rows } = await sql<Outbox>`
    with waiting as (
      select created_at, last_error from mail where state = 'waiting' order by next_try_at limit ${countMax}),
    failed as (
      select created_at, last_error from mail
      where state = 'failed' and created_at > ${ago(7 * DAY)} order by created_at desc limit ${countMax})
    select (select count(*)::int from waiting) as waiting,
      (select min(created_at) from waiting) as oldest,
      (select count(*)::int from failed) as failed,
      coalesce(
        (select last_error from waiting where last_error is not null order by created_at desc limit 1),
        (select last_error from failed where last_error is not null order by created_at desc limit 1)
      ) as "lastError"`.execute(db)
  return rows[0]!
}

type Queues = {
  postsDue: number
  ordersDue: number
  casesWaiting: number
  unsigned: number
  pendingFiles: number
}

/** Overdue work, and items that wait for people. */
export async function readQueues(db: Tx, patience: number): Promise<Queues> {
  const { rows } = await sql<Queues>`
    select
      (select count(*)::int from (select from announcement
        where state = 'scheduled' and publish_at < ${ago(patience)} limit ${countMax}) x) as "postsDue",
      (select count(*)::int from (select from token_order
        where ${unpaid} and receiving_address <> '' and amount is not null
          and pay_before < ${ago(patience)}
        limit ${countMax}) x) as "ordersDue",
      (select count(*)::int from (select from kyc_application
        where status in ('submitted', 'in_review') limit ${countMax}) x) as "casesWaiting",
      (select count(*)::int from (select from announcement_version
        where published_at is not null and signature is null and published_at < ${ago(patience)}
        limit ${countMax}) x) as unsigned,
      (select count(*)::int from (select from pending_file limit ${countMax}) x) as "pendingFiles"`.execute(
    db,
  )
  return rows[0]!
}

export const findKeyInUse = (db: Tx) =>
  db.selectFrom('signing_key').select(['id', 'created_at']).where('retired_at', 'is', null).executeTakeFirst()

/** Until the end of the transaction no other instance decides whether to email about missing backups. */
export const lockBackupNotice = (db: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('backup notice', 0))`.execute(db)

/** Whether an email of this kind was created within `age` milliseconds. */
export async function hasRecentMail(db: Tx, kind: MailKind, age: number): Promise<boolean> {
  const row = await db
    .selectFrom('mail')
    .select('id')
    .where('kind', '=', kind)
    .where('created_at', '>', ago(age))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
