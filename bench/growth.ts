import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { startEmbedded } from '../api/platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/platform/db/migrate.ts'
import { openDatabase } from '../api/platform/db/database.ts'
import { askQuestion } from './growth/ask-question.ts'
import { questions, type Question } from './growth/questions.ts'
import { fill } from './installation/fill.ts'
import { openFrontDoor, type FrontDoor } from './installation/front-door.ts'
import { explain, listLargeTables, statementsOf } from './installation/plans.ts'
import { readScale, scales, sizesAt } from './installation/sizes.ts'
import { markdownTable } from './measuring/markdown-table.ts'
import { median } from './measuring/figures.ts'

/**
 * Measures what grows with the number of rows: the same requests and housekeeping steps on installations with 1,000,
 * 10,000, 100,000, and 1,000,000 members. Prints medians in milliseconds and, for the largest installation, how many
 * statements a request sends and which large tables it scans completely. With `--check` it fails if a median of the
 * largest installation is above 50 ms. `SCALE=1x,10x` selects sizes, `ONLY=news` selects requests, `TURNS=20` sets the
 * repetitions, and `BENCH_DIR` is the folder for the databases.
 */
const medianMax = 50
const largeTable = 10_000
const turns = Number(process.env['TURNS'] ?? 7)
const only = process.env['ONLY']
const names = (process.env['SCALE'] ?? Object.keys(scales).join(',')).split(',')
const asked = questions().filter(({ name }) => !only || name.includes(only))

type Figures = { median: number; statements: number; scanned: string[] }

/** The plans are recorded first, because a housekeeping step finds nothing to do the second time. */
async function measure(door: FrontDoor, explainer: pg.Client, question: Question): Promise<Figures> {
  const large = await listLargeTables(explainer, largeTable)
  const statements = await statementsOf(() => askQuestion(door, question))
  const { scanned } = await explain(explainer, large, statements)
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    await sql`delete from throttle`.execute(door.services.db)
    const begun = performance.now()
    await askQuestion(door, question)
    times.push(performance.now() - begun)
  }
  return { median: median(times), statements: statements.length, scanned: [...scanned] }
}

async function measureAt(scale: string): Promise<Map<string, Figures>> {
  const dataDir = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'bench-growth-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  try {
    await migrateToLatest(server.url)
    const db = openDatabase(server.url, () => {})
    await fill(db, sizesAt(readScale(scale)))
    await db.destroy()
    const door = await openFrontDoor(server.url)
    const explainer = new pg.Client({ connectionString: server.url })
    await explainer.connect()
    const figures = new Map<string, Figures>()
    for (const question of asked) figures.set(question.name, await measure(door, explainer, question))
    await explainer.end()
    await door.stop()
    return figures
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const measured = new Map<string, Map<string, Figures>>()

/** For the largest size so far: the statements, and the tables that are scanned completely. */
function table(): string {
  const sizes = [...measured.keys()]
  const largest = measured.get(sizes.at(-1)!)!
  const rows = asked.map(({ name }) => {
    const { statements, scanned } = largest.get(name)!
    const times = sizes.map((size) => measured.get(size)!.get(name)!.median.toFixed(1))
    return [name, ...times, String(statements), scanned.join(', ')]
  })
  return markdownTable(['ms', ...sizes, 'statements', 'reads whole'], rows)
}

for (const name of names) {
  console.error(`${name}: ${sizesAt(readScale(name)).members.toLocaleString('en')} members …`)
  measured.set(name, await measureAt(name))
  // The largest size takes long, so the results so far are printed first.
  if (name !== names.at(-1)) console.error(table())
}
console.log(table())
const largest = measured.get(names.at(-1)!)!
const slow = asked.filter(({ name }) => largest.get(name)!.median > medianMax)
if (slow.length > 0) console.error(`Above ${medianMax} ms: ${slow.map(({ name }) => name).join('; ')}`)
process.exit(process.argv.includes('--check') && slow.length > 0 ? 1 : 0)
