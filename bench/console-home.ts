import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as figures from '../api/console/home/figures.queries.ts'
import * as waiting from '../api/console/home/waiting.queries.ts'
import { openDatabase, type Database } from '../api/db/database.ts'
import { startEmbedded } from '../api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/db/migrate.ts'

/** What the console's home costs with a million members, two hundred thousand orders and as many identity cases, of two years. */
const [members, orders] = [1_000_000, 200_000]
const turns = 20

const dataDir = await mkdtemp(join(tmpdir(), 'bench-home-'))
const server = await startEmbedded({ dataDir, log: () => {} })
await migrateToLatest(server.url)
const db = openDatabase(server.url, () => {})

const spread = `now() - (n % 730) * interval '1 day' - random() * interval '1 day'`
const fill = (text: string) =>
  db.connection().execute(async (own) => {
    await sql`set statement_timeout = 0`.execute(own)
    await sql.raw(text).execute(own)
  })
await fill(`insert into member (id, email, active, created_at, activated_at)
  select 'm' || n, 'm' || n || '@example.org', n % 4 <> 0, at, case when n % 4 <> 0 then at + interval '1 hour' end
  from generate_series(1, ${members}) n cross join lateral (select ${spread} as at) made`)
await fill(`insert into token_order (member_id, pay_method, amount, fab_qty, status, tx_id, created_at)
  select 'm' || n, (array['BTC', 'ETH', 'USDT'])[1 + n % 3], n * 0.000000000000000001, n,
    (array['pending', 'completed', 'completed', 'cancelled']::order_state[])[1 + n % 4],
    case when n % 3 = 0 then md5(n::text) else '' end, ${spread}
  from generate_series(1, ${orders}) n`)
await fill(`insert into kyc_application (id, member_id, full_name, email, status, created_at)
  select 'k' || n, 'm' || n, 'Sample Person', 'm' || n || '@example.org',
    (array['submitted', 'approved', 'approved', 'rejected', 'expired']::kyc_state[])[1 + n % 5], ${spread}
  from generate_series(1, ${orders}) n`)
await fill(`insert into kyc_step (application_id, from_status, to_status, at)
  select 'k' || n, 'submitted', 'approved', ${spread} from generate_series(1, ${orders}) n`)
await fill('vacuum analyze')

const me = 'm1'
const questions: Record<string, (db: Database) => Promise<unknown>> = {
  'cases that nobody has taken': (db) => waiting.countUnassignedCases(db, me),
  'cases that one has taken': (db) => waiting.countOwnCases(db, me),
  'orders with a reported payment': waiting.countReportedOrders,
  'disputed orders': waiting.countDisputedOrders,
  'orders reported late': waiting.countLateOrders,
  'lost factors': (db) => waiting.countLostFactors(db, me),
  'ambassador applications': waiting.countAmbassadorApplications,
  'failed mails': (db) => waiting.countFailedMails(db, 'general'),
  'posts due': waiting.countDuePosts,
  'sign-ups by day': figures.countSignUps,
  'activations by day': figures.countActivations,
  'applications by day': figures.countApplications,
  'decisions by day': figures.countDecisions,
  'orders and amounts by day': figures.sumOrders,
}

const large = ['member', 'token_order', 'kyc_application', 'kyc_step']

/** Each statement that the question sends, as the database plans it. */
async function planOf(ask: (db: Database) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const watched = openDatabase(server.url, () => {}).withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  })
  const executor = watched.getExecutor()
  const send = executor.executeQuery.bind(executor)
  Object.assign(executor, {
    executeQuery: async (query: Parameters<typeof send>[0], options: Parameters<typeof send>[1]) => {
      const { rows } = await send({ ...query, sql: `explain ${query.sql}` }, options)
      plans.push(...rows.map((row) => String(Object.values(row as object)[0])))
      return send(query, options)
    },
  })
  await ask(watched)
  await watched.destroy()
  return plans.join('\n')
}

const table: Record<string, { median: string; 'reads a large table whole': string }> = {}
for (const [name, ask] of Object.entries(questions)) {
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now()
    await ask(db)
    times.push(performance.now() - begun)
  }
  const plan = await planOf(ask)
  const whole = large.filter((each) => new RegExp(`Seq Scan on ${each}\\b`).test(plan))
  table[name] = {
    median: `${times.sort((a, b) => a - b)[turns / 2]!.toFixed(1)} ms`,
    'reads a large table whole': whole.join(', ') || 'no',
  }
  if (process.env['PLANS']) console.log(`${name}\n${plan}\n`)
}
console.table(table)

await db.destroy()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
