import { sql } from 'kysely'
import type { MemberFilters } from '../../contract/console-members.ts'
import { listSummaries } from '../../api/accounts/console/member-list.queries.ts'
import { listTimeline } from '../../api/accounts/console/timeline.queries.ts'
import type { Database } from '../../api/db/database.ts'
import type { Part } from './part.ts'

const count = Number(process.env['MEMBERS'] ?? 1_000_000)
const limit = 25

/** Written by statements that fill all rows at once; what triggers would write for each is written for all. */
const fill = (pool: Database): Promise<void> =>
  pool.connection().execute(async (db) => {
    await sql`set statement_timeout = 0`.execute(db)
    await fillOn(db)
  })

async function fillOn(db: Pick<Database, 'getExecutor'>): Promise<void> {
  const indexes = await sql<{
    name: string
    make: string
  }>`select indexname as name, indexdef as make from pg_indexes
    where tablename in ('member_summary', 'member_words') and indexname not like '%_pkey'`.execute(db)
  for (const { name } of indexes.rows) await sql.raw(`drop index ${name}`).execute(db)
  await sql`alter table member disable trigger user`.execute(db)
  await sql`alter table kyc_application disable trigger user`.execute(db)
  await sql`
    insert into member (id, email, first_name, last_name, active, password_hash, created_at, manage_news, manage_finance)
    select 'member-' || n,
      (array['anna', 'li.na', 'tomas', 'mei', 'olga', 'john', 'ana.maria', 'wei'])[1 + n % 8] || n
        || (array['@gmail.example', '@mail.example.org', '@fjord.example'])[1 + (n % 100) / 49],
      (array['Anna', '娜', 'Tomás', 'Mei', 'Olga', 'John', 'Ana', '伟'])[1 + n % 8],
      (array['Larsen', '李', 'Silva', 'Chen', 'Petrova', 'Appleseed', '王'])[1 + n % 7] ||
        case when n % 1000 = 7 then ' Hemlock' else '' end,
      n % 10 <> 0, 'x', timestamptz '2020-01-01' + n * interval '3 minutes',
      case when n % 20000 = 1 then 2 else 0 end, case when n % 30000 = 1 then 1 else 0 end
    from generate_series(1, ${count}) n`.execute(db)
  // The oldest third has verified itself; a few wait.
  await sql`
    insert into kyc_application (member_id, full_name, email, status)
    select 'member-' || n, 'Sample', 's@example.org',
      (case when n % 5000 = 0 then 'in_review' when n % 50 = 0 then 'rejected' else 'approved' end)::kyc_state
    from generate_series(1, ${Math.floor(count / 3)}) n`.execute(db)
  await sql`
    insert into member_summary (id, joined_at, is_active, is_staff, has_factor, kyc_state, last_sign_in_at)
    select m.id, m.created_at, m.active, m.manage_news + m.manage_finance > 0, hashtext(m.id) % 20 = 0, a.status,
      case when hashtext(m.id) % 3 = 0 then to_timestamp(0) else m.created_at + (abs(hashtext(m.id)) % 5000) * interval '1 hour' end
    from member m left join kyc_application a on a.member_id = m.id on conflict do nothing`.execute(db)
  await sql`
    insert into member_words (id, grams)
    select id, member_grams(lower(email || ' ' || display_name || ' ' || first_name || ' ' || last_name))
    from member on conflict do nothing`.execute(db)
  await sql`
    insert into sign_in (member_id, has_proved_factor, at)
    select 'member-' || (1 + n % 1000), false, now() - n * interval '1 minute' from generate_series(1, 100000) n`.execute(
    db,
  )
  for (const { make } of indexes.rows) await sql.raw(make).execute(db)
  await sql`alter table member enable trigger user`.execute(db)
  await sql`alter table kyc_application enable trigger user`.execute(db)
  for (const table of ['member', 'member_summary', 'member_words', 'kyc_application', 'sign_in'])
    await sql.raw(`vacuum analyze ${table}`).execute(db)
}

const list = (filters: MemberFilters) => (db: Database) => listSummaries(db, filters, { limit })

/** The page after ten others. */
const later = (filters: MemberFilters) => async (db: Database) => {
  let after: string | undefined
  for (let page = 0; page < 2; page += 1)
    ({ next: after } = await listSummaries(db, filters, { limit, after }))
}

export const members: Part = {
  name: `${count} members`,
  fill,
  questions: {
    'newest first': list({}),
    'oldest first': list({ sort: 'joined' }),
    'two pages': later({}),
    'by last sign-in': list({ sort: '-signIn' }),
    'never signed in first': list({ sort: 'signIn' }),
    'not active (1 in 10)': list({ active: 'no' }),
    'not active, by sign-in': list({ active: 'no', sort: '-signIn' }),
    'any right (83)': list({ right: 'any' }),
    'finance (33), by sign-in': list({ right: 'finance', sort: '-signIn' }),
    'identity approved (old members)': list({ kyc: 'approved' }),
    'identity in review (66)': list({ kyc: 'in_review' }),
    'identity approved, by sign-in': list({ kyc: 'approved', sort: 'signIn' }),
    'with a factor': list({ factor: 'yes' }),
    'joined in one week': list({ from: '2022-05-01', to: '2022-05-07' }),
    'joined in one week, by sign-in': list({ from: '2022-05-01', to: '2022-05-07', sort: '-signIn' }),
    'not active and rejected': list({ active: 'no', kyc: 'rejected' }),
    'search anna (1 in 8)': list({ q: 'anna' }),
    'search gmail (half of them)': list({ q: 'gmail' }),
    'search hemlock (1 in 1000)': list({ q: 'hemlock' }),
    'search one address': list({ q: 'olga500004@gmail.example' }),
    'search 娜 (one character)': list({ q: '娜' }),
    'search 李 hemlock': list({ q: '李 hemlock' }),
    'search an (beginnings)': list({ q: 'an' }),
    'search that finds nothing': list({ q: 'nobody at all' }),
    'search hemlock, by sign-in': list({ q: 'hemlock', sort: '-signIn' }),
    'one by id': list({ q: '00000000-0000-4000-8000-000000000000' }),
    'timeline, first page': (db) =>
      listTimeline(db, 'member-7', { isFinance: true, isAdmin: true }, { limit: 20 }),
  },
}
