import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import { startEmbedded } from '../api/platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/platform/db/migrate.ts'
import { openDatabase } from '../api/platform/db/database.ts'
import { listRecoveryRequests } from '../contract/people/account-recovery.ts'
import { exportAmbassadorApplications, readApplicationBoard } from '../contract/people/console-ambassadors.ts'
import { exportRecord } from '../contract/console/console-audit-log.ts'
import { listNeedsAttention, readDashboardMetrics } from '../contract/console/console-home.ts'
import { exportMails, getMail, listMails, readMailFigures } from '../contract/platform/console-mails.ts'
import {
  exportConsoleMembers,
  getConsoleMember,
  listConsoleMembers,
  readMemberTimeline,
} from '../contract/people/console-members.ts'
import {
  exportConsoleOrders,
  exportOrderAccounts,
  getConsoleOrder,
  listConsoleOrders,
} from '../contract/money/console-orders.ts'
import { listConsoleViews } from '../contract/console/console-views.ts'
import type { Endpoint } from '../contract/platform/endpoint.ts'
import { listKycCases, readKycStatistics } from '../contract/people/kyc-review.ts'
import { findMembers, listMembers } from '../contract/people/members.ts'
import { listAutosaves, listNewsroomPosts } from '../contract/publishing/newsroom.ts'
import { listOrders } from '../contract/money/order-desk.ts'
import { readOrderTotals } from '../contract/money/order-totals.ts'
import { findOrders } from '../contract/money/orders.ts'
import { fill } from './installation/fill.ts'
import { type Chair, openFrontDoor } from './installation/front-door.ts'
import { explain, listLargeTables, statementsOf, type Way } from './installation/plans.ts'
import {
  aMail,
  aMember,
  anOrder,
  between,
  hex,
  type List,
  lists,
  type Query,
  sizes,
  words,
} from './console-at-scale/lists.ts'

/**
 * Measures the console in a large installation. Each list is requested as its screen requests it: with each filter in
 * each sort order, with each pair of filters, and for a page far down the list. The home page, palette, exports, and
 * single records are measured too. Fails if a median is above 50 ms, or if a plan scans a table of more than 10,000
 * rows completely. One in fifty pairs of filters can take longer, because no index covers two filters, and sign-up days
 * are scattered in sign-up order. `DATABASE_URL` names a database to fill instead of the embedded one, either empty or
 * filled by an earlier run; `ONLY=orders` measures one area; `PLANS=1` prints the plans; `TURNS` sets the number of
 * repetitions.
 */
const medianMax = 50
const largeTable = 10_000
/** This fraction of the pairs of filters can take longer. */
const pairsOverMax = 0.02
const turns = Number(process.env['TURNS'] ?? 20)
const turnsOfPairs = Math.min(5, turns)
const only = process.env['ONLY']

const given = process.env['DATABASE_URL']
const dataDir = given
  ? undefined
  : await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'bench-console-'))
const server = dataDir ? await startEmbedded({ dataDir, log: () => {} }) : undefined
const url = given ?? server!.url
await migrateToLatest(url)
const explainer = new pg.Client({ connectionString: url })
await explainer.connect()
const filled = openDatabase(url, () => {})
await fill(filled, sizes, console.log)
await filled.destroy()
const frontDoor = await openFrontDoor(url)
const { db } = frontDoor.services
const large = await listLargeTables(explainer, largeTable)

class Refused extends Error {
  constructor(status: number) {
    super(`answers ${status}`)
  }
}

type Figures = { name: string; median: number; slow: number; way: Way }

type Question = {
  name: string
  endpoint: Endpoint
  query?: Query
  body?: object
  params?: object
  chair?: Chair
}

const file = (name: string, endpoint: Endpoint, queries: readonly Query[]): Question[] =>
  queries.map((query) => ({ name: `${name} ${words(query)}`, endpoint, query }))

/** The palette requests five results from each list that the member can open. */
const palette = ['anna', '李', `olga${aMember}@gmail.example`, hex(anOrder), 'nobody at all'].flatMap((q) =>
  [listConsoleMembers, listConsoleOrders, listKycCases, listNewsroomPosts].map((endpoint): Question => ({
    name: `palette ${endpoint.path} q=${q}`,
    endpoint,
    query: { q, limit: 5 },
  })),
)

const questions: readonly Question[] = [
  { name: 'home: what waits', endpoint: listNeedsAttention },
  { name: 'home: what waits (employee)', endpoint: listNeedsAttention, chair: 'employee' },
  { name: 'home: figures', endpoint: readDashboardMetrics },
  { name: 'home: figures (employee)', endpoint: readDashboardMetrics, chair: 'employee' },
  { name: 'mails: figures', endpoint: readMailFigures },
  { name: 'mails: figures (employee)', endpoint: readMailFigures, chair: 'employee' },
  { name: 'identity: figures', endpoint: readKycStatistics },
  { name: 'ambassadors: board', endpoint: readApplicationBoard },
  { name: 'orders: totals of 30 days', endpoint: readOrderTotals },
  { name: 'saved views', endpoint: listConsoleViews, query: { list: 'orders' } },
  { name: 'lost factors', endpoint: listRecoveryRequests },
  { name: 'newsroom: working copies', endpoint: listAutosaves },
  { name: 'a member', endpoint: getConsoleMember, params: { id: 'member-7' } },
  { name: 'a member: timeline', endpoint: readMemberTimeline, params: { id: 'member-7' } },
  { name: 'timeline of an officer', endpoint: readMemberTimeline, params: { id: 'member-2' } },
  { name: 'an order', endpoint: getConsoleOrder, params: { id: `order-${anOrder}` } },
  { name: 'a mail', endpoint: getMail, params: { id: `mail-${aMail}` } },
  ...palette,
  { name: 'palette mails', endpoint: listMails, query: { recipient: 'anna@', limit: 5 } },
  ...file('members.csv', exportConsoleMembers, [
    {},
    { kyc: 'rejected', active: 'no' },
    { q: 'hemlock', sort: '-signIn' },
  ]),
  ...file('orders.csv', exportConsoleOrders, [
    {},
    { status: 'pending', sort: 'amount' },
    { coin: 'doge', sort: '-deadline' },
  ]),
  ...file('orders-accounting.csv', exportOrderAccounts, [{}, between(60, 30)]),
  ...file('mails.csv', exportMails, [{}, { state: 'failed', sort: 'changed' }]),
  ...file('ambassador-applications.csv', exportAmbassadorApplications, [{}, { status: 'declined' }]),
  ...file('record.csv', exportRecord, [{}, { actor: 'member-2', what: 'changes' }]),
  { name: 'members/', endpoint: listMembers },
  ...[
    { q: 'anna' },
    { q: 'hemlock' },
    { q: 'nobody at all' },
    { q: '娜' },
    { displayName: 'Nobody' },
    { isWriteAccessAdmin: true },
    { active: false },
  ].map((body): Question => ({
    name: `members/find ${words(body as unknown as Query)}`,
    endpoint: findMembers,
    body,
  })),
  { name: 'icotx/', endpoint: listOrders },
  { name: 'icotx/find status=pending', endpoint: findOrders, body: { status: 'pending' } },
]

/** Waits for the response, or for the first row of an export. */
async function ask({
  endpoint,
  query = {},
  body,
  params = {},
  chair,
}: Question): Promise<string | undefined> {
  const input = { params, query, body } as never
  const answer = await frontDoor.ask(endpoint, input, chair)
  if (answer.statusCode !== 200) throw new Refused(answer.statusCode)
  if (endpoint.returnsBytes) await beginningOf(answer.stream())
  return /after=([^&>]+)/.exec(String(answer.headers['link'] ?? ''))?.[1]
}

async function beginningOf(stream: Readable): Promise<void> {
  let lines = 0
  for await (const chunk of stream) if ((lines += String(chunk).split('\r\n').length - 1) > 1) break
}

async function measure(question: Question, count: number): Promise<Figures> {
  // The number of exports per hour is limited, so the counter is reset.
  if (question.endpoint.returnsBytes) await sql`delete from throttle`.execute(db)
  const way = await explain(explainer, large, await statementsOf(() => ask(question)))
  const times: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    if (question.endpoint.returnsBytes && turn % 10 === 0) await sql`delete from throttle`.execute(db)
    const begun = performance.now()
    await ask(question)
    times.push(performance.now() - begun)
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => times[Math.min(count - 1, Math.floor(count * part))]!
  return { name: question.name, median: at(0.5), slow: at(0.95), way }
}

/** Returns the cursor after several thousand rows, or the last one before that. */
async function farBehind(question: Question): Promise<string | undefined> {
  let after: string | undefined
  for (let page = 0; page < 20; page += 1) {
    const query = { ...question.query, limit: 100, ...(after && { after }) }
    const next = await ask({ ...question, query }).catch(() => undefined)
    if (!next) break
    after = decodeURIComponent(next)
  }
  return after
}

const sortsOf = (list: List): Query[] => (list.sorts.length > 0 ? list.sorts.map((sort) => ({ sort })) : [{}])

const singles = (list: List): Question[] =>
  [{}, ...list.filters].flatMap((filter) =>
    sortsOf(list).map((sort) => {
      const query = { ...filter, ...sort }
      return {
        name: `${list.name} ${words(query)}`,
        endpoint: list.endpoint,
        query,
        ...(list.chair && { chair: list.chair }),
      }
    }),
  )

/** Each pair of filters that are not values of the same filter. */
const pairs = (list: List): Question[] =>
  list.filters.flatMap((one, n) =>
    list.filters.slice(n + 1).flatMap((other) =>
      Object.keys(one).some((name) => name in other)
        ? []
        : sortsOf(list).map((sort) => {
            const query = { ...one, ...other, ...sort }
            return {
              name: `${list.name} ${words(query)}`,
              endpoint: list.endpoint,
              query,
              ...(list.chair && { chair: list.chair }),
            }
          }),
    ),
  )

const wrong: string[] = []
const used = new Set<string>()

function judge({ name, median, way }: Figures, isPair: boolean): void {
  for (const index of way.indexes) used.add(index)
  if (way.scanned.size > 0) note(`${name}: reads ${[...way.scanned].join(', ')} whole`)
  if (median > medianMax && !isPair) note(`${name}: ${median.toFixed(1)} ms, ${way.pages} pages`)
  if (process.env['PLANS']) console.log(name, JSON.stringify(way.plans, null, 1))
}

function note(what: string): void {
  wrong.push(what)
  console.error(what)
}

const ms = (time: number) => `${time.toFixed(1)} ms`

/** A response that exceeds the program's statement timeout is an error, not a measurement. */
async function figuresOf(question: Question, count: number, isPair = false): Promise<Figures | undefined> {
  try {
    const figures = await measure(question, count)
    judge(figures, isPair)
    return figures
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    note(`${question.name}: ${error.message}`)
    return undefined
  }
}

async function ofOne(question: Question): Promise<void> {
  const figures = await figuresOf(question, turns)
  if (!figures) return
  table[figures.name] = { median: ms(figures.median), '95 %': ms(figures.slow), pages: figures.way.pages }
}

/** Prints many measurements as one line: the number, the median, and the slowest median with its name. */
async function ofMany(
  name: string,
  asked: readonly Question[],
  count: number,
  isPair = false,
): Promise<void> {
  if (asked.length === 0) return
  const figures: Figures[] = []
  for (const question of asked) {
    const each = await figuresOf(question, count, isPair)
    if (each) figures.push(each)
  }
  if (figures.length === 0) return
  const medians = figures.map(({ median }) => median).sort((one, other) => one - other)
  // No index covers a pair of filters. If each filter matches many rows and hardly any row matches both, many rows are
  // read.
  const over = figures.filter(({ median }) => median > medianMax)
  if (isPair && over.length > asked.length * pairsOverMax)
    note(`${name}: ${over.length} of ${asked.length} are above ${medianMax} ms`)
  const slowest = figures.reduce((one, other) => (other.median > one.median ? other : one))
  summary[name] = {
    asked: asked.length,
    median: ms(medians[Math.floor(medians.length / 2)]!),
    'above 50 ms': over.length,
    'slowest median': ms(slowest.median),
    '95 %': ms(Math.max(...figures.map(({ slow }) => slow))),
    'most pages': Math.max(...figures.map(({ way }) => way.pages)),
    slowest: slowest.name.slice(name.split(',')[0]!.length + 1),
  }
}

const table: Record<string, object> = {}
const summary: Record<string, object> = {}
for (const list of lists.filter(({ name }) => !only || name.startsWith(only))) {
  await ofMany(`${list.name}, one filter`, singles(list), turns)
  const behind: Question[] = []
  for (const question of singles(list)) {
    const after = await farBehind(question)
    if (after)
      behind.push({ ...question, name: `${question.name} (far behind)`, query: { ...question.query, after } })
  }
  await ofMany(`${list.name}, far behind`, behind, turnsOfPairs)
  await ofMany(`${list.name}, two filters`, pairs(list), turnsOfPairs, true)
}
for (const question of questions.filter(({ name }) => !only || name.startsWith(only))) await ofOne(question)
console.table(summary)
console.table(table)

const { rows: idle } = await explainer.query<{ name: string; size: string }>(
  `select indexrelid::regclass::text as name, pg_size_pretty(pg_relation_size(indexrelid)) as size from pg_index
  where not indisunique and indrelid::regclass::text = any($1)`,
  [['mail', 'audit_entry', 'token_order', 'kyc_application', 'member', 'member_summary']],
)
const unused = idle.filter(({ name }) => !used.has(name))
console.log(`No question used: ${unused.map(({ name, size }) => `${name} (${size})`).join(', ') || 'none'}`)

await frontDoor.stop()
await explainer.end()
await server?.stop()
if (dataDir) await rm(dataDir, { recursive: true, force: true })
process.exit(wrong.length > 0 ? 1 : 0)
