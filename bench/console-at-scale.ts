import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { listSummaries } from '../api/accounts/console/member-list.queries.ts'
import { listTimeline } from '../api/accounts/console/timeline.queries.ts'
import { openDatabase, type Database } from '../api/db/database.ts'
import { startEmbedded } from '../api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/db/migrate.ts'
import type { MemberFilters } from '../contract/console-members.ts'

/** What the lists of the console cost in a large installation, and by which way the database answers. `PLANS=1` prints those. */

/** One area of the console: how its tables are filled, and what its lists are asked. */
type Part = {
  name: string
  /** Fills once, with analysed tables in the end. */
  fill(db: Database): Promise<void>
  questions: Record<string, (db: Database) => Promise<unknown>>
}

const count = Number(process.env['MEMBERS'] ?? 1_000_000)
const pageSize = 25

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

const list = (filters: MemberFilters) => (db: Database) => listSummaries(db, filters, { limit: pageSize })

/** The page after ten others. */
const later = (filters: MemberFilters) => async (db: Database) => {
  let after: string | undefined
  for (let page = 0; page < 2; page += 1)
    ({ next: after } = await listSummaries(db, filters, { limit: pageSize, after }))
}

const members: Part = {
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
      listTimeline(db, 'member-7', { isFinance: true, isAdmin: true, isOwn: false }, { limit: 20 }),
  },
}

const parts: readonly Part[] = [members]
const turns = 20
const medianMax = 50
const largeTable = 10_000

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
type Asked = { text: string; values: unknown[] }

const dataDir = await mkdtemp(join(tmpdir(), 'bench-console-'))
const server = await startEmbedded({ dataDir, log: () => {} })
await migrateToLatest(server.url)
const db = openDatabase(server.url, () => {})
const explainer = new pg.Client({ connectionString: server.url })
await explainer.connect()

/** The statements of one run. */
async function statementsOf(ask: () => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [text, values] = given
    if (typeof text === 'string' && /^\s*(?:select|with)\b/i.test(text))
      asked.push({ text, values: values as unknown[] })
    return Reflect.apply(query, this, given) as never
  }
  await ask().finally(() => (pg.Client.prototype.query = query))
  return asked
}

async function planOf({ text, values }: Asked): Promise<Plan> {
  const { rows } = await explainer.query(`explain (format json) ${text}`, values)
  return (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function median(ask: () => Promise<unknown>): Promise<number> {
  await ask()
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now()
    await ask()
    times.push(performance.now() - begun)
  }
  return times.sort((one, other) => one - other)[turns / 2]!
}

async function largeTables(): Promise<Set<string>> {
  const { rows } = await explainer.query<{ name: string }>(
    'select relname as name from pg_class where relkind = $1 and reltuples > $2',
    ['r', largeTable],
  )
  return new Set(rows.map(({ name }) => name))
}

const wrong: string[] = []
for (const part of parts) {
  const begun = performance.now()
  await part.fill(db)
  console.log(`${part.name}: filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
const large = await largeTables()
const table: Record<string, { median: string; ways: string }> = {}
for (const { name, questions } of parts)
  for (const [question, ask] of Object.entries(questions)) {
    const time = await median(() => ask(db))
    const plans = await Promise.all((await statementsOf(() => ask(db))).map(planOf))
    const nodes = plans.flatMap(nodesOf)
    const scanned = nodes.filter(
      (node) => node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? ''),
    )
    const ways = new Set(nodes.flatMap((node) => node['Index Name'] ?? []))
    table[question] = { median: `${time.toFixed(1)} ms`, ways: [...ways].join(' ') }
    if (scanned.length > 0) wrong.push(`${name}, ${question}: scans ${scanned[0]!['Relation Name']}`)
    if (time > medianMax) wrong.push(`${name}, ${question}: ${time.toFixed(1)} ms`)
    if (process.env['PLANS']) console.log(question, JSON.stringify(plans, null, 1))
  }
console.table(table)
for (const each of wrong) console.error(each)

await explainer.end()
await db.destroy()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit(wrong.length > 0 ? 1 : 0)
