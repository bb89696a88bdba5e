import { request } from 'node:http'
import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { defaultAppId } from '../../contract/people/apps.ts'
import { MIB } from '../../contract/platform/fields.ts'
import { findEmbedded } from '../../api/platform/db/embedded/find-embedded.ts'
import { openDatabase } from '../../api/platform/db/database.ts'
import { anApplicant } from '../../tests/builders.ts'
import { membersOf } from '../../tests/setup/running-database.ts'
import { startProduct, type Product } from '../../tests/setup/start-product.ts'
import { childrenOf, memoryOf, parentOf, residentOf } from '../measuring/processes.ts'
import { untilAtRest } from './measure-works.ts'
import { figureOf, type SingleFigure } from './single-figure.ts'
import { settings } from './systems.ts'

const startMax = 1500
const memoryMax = 220
const growthMax = 150
/** After ten seconds, unused memory is released and idle connections are closed. */
const restedFor = 12_000
const applicants = 8

const { TRUST_PROXY: _, ...others } = settings
/** The settings with which the shipped unit and container start the program. */
const embedded = { ...others, MALLOC_ARENA_MAX: '2' }

/**
 * Measures the time from the start of the process until it is ready, and its memory, with the embedded and with a
 * separate database.
 */
export async function measureStartAndMemory(rounds: number): Promise<SingleFigure[]> {
  const first = await startProduct({ settings: embedded })
  const { dataDir } = first
  const starts: number[] = []
  const memories: number[] = []
  const growths: number[] = []
  try {
    await first.stop()
    for (let round = 0; round < rounds; round += 1) {
      const product = await startProduct({ settings: embedded, dataDir })
      starts.push(product.startedIn)
      // The last one keeps running; the others are only started.
      if (round < rounds - 1) await product.stop()
      else {
        await untilAtRest(product.process.pid)
        await setTimeout(restedFor)
        memories.push(memoryOf(await processesOf(product)) / MIB)
        growths.push((await growthByApplications(product)) / MIB)
        await product.stop()
      }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  return [
    figureOf('first start, new embedded database', 'ms', [first.startedIn]),
    figureOf('later start, embedded database', 'ms', starts, startMax),
    figureOf('memory when idle, with PostgreSQL', 'MiB', memories, memoryMax),
    figureOf('memory growth, 8 identity applications of 15 MB at once', 'MiB', growths, growthMax),
  ]
}

/** The program, the database server, and the processes that serve its connections. */
async function processesOf({ process, dataDir }: Product): Promise<number[]> {
  const found = await findEmbedded(dataDir)
  if (typeof found === 'string') throw new Error(`the database is ${found}`)
  const db = openDatabase(found.url, () => {})
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  await db.destroy()
  const server = parentOf(rows[0]!.pid)!
  return [process.pid!, server, ...childrenOf(server)]
}

/** A camera photo: noise, which no format compresses well. */
const aPhoto = () =>
  sharp({
    create: {
      width: 2000,
      height: 1500,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer()

async function growthByApplications(product: Product): Promise<number> {
  const members = await membersOf(product.dataDir, applicants)
  const dataUrl = `data:image/jpeg;base64,${(await aPhoto()).toString('base64')}`
  const body = Buffer.from(
    JSON.stringify({ ...anApplicant('somebody@example.org'), photoUrls: Array(8).fill(dataUrl) }),
  )
  if (body.length < 15e6) throw new Error(`an application has ${body.length} bytes`)
  await hand(product, members[0]!.token, Buffer.from('{}'))
  const before = residentOf(product.process.pid!, 'VmRSS')
  const statuses = await Promise.all(members.map(({ token }) => hand(product, token, body)))
  // Applications above the limit are told to retry later.
  const wrong = statuses.filter((status) => status !== 201 && status !== 429)
  if (wrong.length > 0) throw new Error(`applications were answered ${statuses.join(', ')}`)
  return residentOf(product.process.pid!, 'VmHWM') - before
}

const hand = (product: Product, token: string, body: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${product.url}/v2/kyc/create`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-app-id': defaultAppId,
        'x-access-token': token,
      },
    })
    sent.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
