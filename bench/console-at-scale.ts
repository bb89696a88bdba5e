import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../api/db/database.ts'
import { startEmbedded } from '../api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/db/migrate.ts'
import { members } from './console-at-scale/members.ts'
import type { Part } from './console-at-scale/part.ts'

/** What the lists of the console cost in a large installation, and by which way the database answers. `PLANS=1` prints those. */
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
    const [text, values] = given as [string, unknown[]]
    if (typeof text === 'string' && /^\s*(?:select|with)\b/i.test(text)) asked.push({ text, values })
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
