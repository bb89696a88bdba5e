import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { startEmbedded } from '../api/platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/platform/db/migrate.ts'
import { openDatabase } from '../api/platform/db/database.ts'
import { makeTemporary, removeTemporary } from '../tests/setup/temporary.ts'
import { buildIfStale } from '../scripts/build-site.ts'
import { fill } from './installation/fill.ts'
import { syllables } from './installation/posts.ts'
import { readScale, sizesAt } from './installation/sizes.ts'
import { parentOf } from './measuring/processes.ts'
import { describeGenerator } from './speed/describe-generator.ts'
import { instancesTable, measureInstances } from './speed/measure-instances.ts'
import { measureWorks, untilAtRest, type Measured } from './speed/measure-works.ts'
import { findOther } from './speed/other-system.ts'
import { measurePages } from './speed/pages-on-a-phone.ts'
import { missedWorks, worksTable } from './speed/print-works.ts'
import { prepareScene } from './speed/scene.ts'
import { figureOf, isMissed, type SingleFigure, singlesTable } from './speed/single-figure.ts'
import { measureStartAndMemory } from './speed/start-and-memory.ts'
import { startBare, startFileServer, startOurs, type System } from './speed/systems.ts'
import { worksOn } from './speed/works.ts'

/**
 * Measures the product's throughput and its cost next to systems that set an upper limit, on the same machine and
 * database in one run: `npm run bench`. With `--check` it fails if a goal is missed. `--url`, `--paths`, and `--pid`
 * measure another system in the same turns (`speed/other-system.ts`). `ONLY=list,page,instances,first-pages,phone,start`
 * selects parts, `ROUNDS=9` and `SECONDS=10` measure longer, `SCALE=full` uses a large installation, `BENCH_DIR` is the folder
 * for the database, `DATABASE_URL` selects another database instead of the embedded one, and `PROFILE=folder` stores a
 * CPU profile of the program.
 */
const rounds = Number(process.env['ROUNDS'] ?? 3)
/** In shorter turns, compiling and collecting garbage take a larger share than in a running installation. */
const seconds = Number(process.env['SECONDS'] ?? 4)
const only = process.env['ONLY']?.split(',')
const isAsked = (key: string) => !only || only.includes(key)
const sizes = sizesAt(readScale(process.env['SCALE'] ?? '10x'))
/** Enough posts that each list is requested only once. */
const postsMin = 4000
/** The number of new pages to render, and of each kind to render concurrently. */
const firstTimePages = 20

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const say = (what: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${what}`)
const closers: (() => Promise<unknown>)[] = []

async function openDatabaseServer(): Promise<string> {
  const given = process.env['DATABASE_URL']
  if (given) return given
  const dataDir = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'bench-speed-'))
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startEmbedded({ dataDir, log: () => {} })
  closers.push(() => server.stop())
  return server.url
}

/** Fills the database, and finds the process whose children serve its connections if it runs on this machine. */
async function prepareDatabase(url: string): Promise<number | undefined> {
  await migrateToLatest(url)
  const db = openDatabase(url, () => {})
  await fill(db, { ...sizes, posts: Math.max(sizes.posts, postsMin) })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pid = parentOf(rows[0]!.pid)
  await db.destroy()
  return pid
}

const works: Measured[] = []
let generator: string | undefined
let instances: string | undefined
const singles: SingleFigure[] = []
/** Parts that could not be measured. */
const failed: string[] = []

/** A failing part must not discard the results of the others. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  say(name)
  try {
    await work()
  } catch (error) {
    failed.push(name)
    console.error(error)
  }
}

/**
 * Each request comes from another client, because the program limits how many new pages one client can make it render.
 */
let client = 0
const aClient = () => `10.2.${(client += 1) >> 8}.${client & 255}`

async function load(url: URL, path: string): Promise<number> {
  const begun = performance.now()
  const headers = { 'x-forwarded-for': aClient(), 'accept-encoding': 'br' }
  const answer = await fetch(new URL(path, url), { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return performance.now() - begun
}

/** Words that occur in many posts. */
const aWord = (n: number) =>
  syllables[n % syllables.length]! + syllables[Math.floor(n / syllables.length) % syllables.length]!

const kinds: Record<string, (n: number) => string> = {
  'news search, not cached': (n) => `/news?q=${aWord(n)}`,
  'older news page, not cached': (n) => `${n % 2 ? '/cn' : ''}/news?page=${2 + Math.floor(n / 2)}`,
}
const pageMax = 15
const atOnce = 4

/** A page that nobody has requested yet: by a single visitor, and by several at the same time. */
async function measureFirstTimePages({ url }: System, loads: number): Promise<SingleFigure[]> {
  const figures: SingleFigure[] = []
  for (const [name, pathOf] of Object.entries(kinds)) {
    let n = 0
    const warmUp = 5
    const alone: number[] = []
    for (let turn = 0; turn < loads + warmUp; turn += 1) {
      const ms = await load(url, pathOf((n += 1)))
      if (turn >= warmUp) alone.push(ms)
      // The program pauses between two such pages for as long as the first one took.
      await setTimeout(2 * ms)
    }
    const together: number[] = []
    for (let burst = 0; burst < Math.ceil(loads / atOnce); burst += 1) {
      const times = await Promise.all(Array.from({ length: atOnce }, () => load(url, pathOf((n += 1)))))
      together.push(...times)
      await setTimeout(Math.max(...times))
    }
    figures.push(figureOf(name, 'ms', alone, pageMax), figureOf(`${name}, ${atOnce} at once`, 'ms', together))
  }
  return figures
}

async function measureProgram(): Promise<void> {
  const url = await openDatabaseServer()
  say(`filling the database with ${sizes.members.toLocaleString('en')} members`)
  const databasePid = await prepareDatabase(url)
  const scene = await prepareScene(url)
  const dataDir = await makeTemporary('bench-files')
  closers.push(() => removeTemporary(dataDir))
  const ours = await startOurs(url, dataDir)
  closers.push(ours.stop)
  const known = worksOn(scene)
  const asked = known.filter(({ key }) => isAsked(key))
  if (asked.length > 0)
    await part(`works: ${rounds} rounds`, async () => {
      const bare = await startBare(url, scene.passwordHash)
      closers.push(bare.stop)
      const nginx = await startFileServer()
      if (nginx) closers.push(nginx.stop)
      else say('nginx is not installed: its line is missing')
      const contest = { ours, bare, nginx, other: findOther(argument), databasePid }
      works.push(...(await measureWorks(contest, asked, { rounds, seconds })))
      generator = await describeGenerator(nginx ?? bare, seconds)
    })
  await untilAtRest(ours.pids[0])
  if (isAsked('instances'))
    await part('several instances', async () => {
      const read = known.filter(({ key }) => key === 'profile' || key === 'update')
      const rows = await measureInstances({ url, pid: databasePid, dataDir }, read, { rounds, seconds })
      if (rows.length > 0) instances = instancesTable(rows)
    })
  if (isAsked('first-pages'))
    await part('pages that nobody asked for before', async () => {
      singles.push(...(await measureFirstTimePages(ours, firstTimePages)))
    })
  if (isAsked('phone'))
    await part('pages on a slow phone', async () => {
      singles.push(...(await measurePages(ours, scene, Math.ceil(rounds / 2))))
    })
}

await buildIfStale()
if (!only?.every((key) => key === 'start')) {
  await part('the program', measureProgram)
  for (const close of closers.toReversed()) await close()
}
if (isAsked('start'))
  await part('start and memory', async () => {
    singles.push(...(await measureStartAndMemory(rounds)))
  })
if (works.length > 0) console.log(`${worksTable(works)}\n`)
if (generator) console.log(`${generator}\n`)
if (instances) console.log(`${instances}\n`)
if (singles.length > 0) console.log(`${singlesTable(singles)}\n`)
const missed = [...missedWorks(works), ...singles.filter(isMissed).map(({ name }) => name), ...failed]
if (missed.length > 0) console.log(`Aims missed: ${missed.join('; ')}`)
process.exit(process.argv.includes('--check') && missed.length > 0 ? 1 : 0)
