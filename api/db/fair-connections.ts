import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { makeLanes } from '../hashing-lanes.ts'
import { isLimitRefused } from './database-client.ts'

const clients = new AsyncLocalStorage<string>()

/** What `work` asks of the database, it asks for this client. */
export const forClient = <T>(client: string, work: () => T): T => clients.run(client, work)

/** So many may wait of one client; more are refused at once. */
const waitingMaxOfClient = 1000
/** In milliseconds, between attempts where the server has no connection left. */
const pauseMax = 400

type Patience = {
  atOnce: number
  waitMax: number
  /** Instead, while the server has no connection left for anybody. */
  crowdedMax: number
}

/**
 * Gives the connections of a pool to clients by turns: whoever asks for hundreds of things at once delays others by one turn,
 * not by all of them. Work of the program itself counts as one client. Whoever waits longer than allowed is refused.
 */
export function shareFairly(pool: pg.Pool, { atOnce, waitMax, crowdedMax }: Patience): void {
  const run = makeLanes(['connection'], { atOnce, waitingMax: Infinity, waitingMaxOfClient })
  const inUse = new Map<pg.PoolClient, () => void>()
  /** The moment until which the server counts as crowded. */
  let crowdedUntil = 0
  pool.on('release', (_error, connection) => {
    inUse.get(connection)?.()
    inUse.delete(connection)
  })
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>

  async function connectPatiently(begun: number): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await connect()
      } catch (error) {
        // Now it is known, and the next attempt leaves them out.
        const isRepairable = isLimitRefused(error) && attempt === 1
        if (!isRepairable && !(isCrowded(error) && performance.now() - begun < crowdedMax)) throw error
        if (!isRepairable) {
          crowdedUntil = performance.now() + crowdedMax
          await setTimeout(Math.min(pauseMax, 50 * attempt) * (0.5 + Math.random()))
        }
      }
  }

  const take = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      const begun = performance.now()
      let hasGivenUp = false
      const giveUp = () => {
        const left = begun + crowdedMax - performance.now()
        if (performance.now() < crowdedUntil && left > 0) {
          timer = globalThis.setTimeout(giveUp, Math.min(left, waitMax))
          return
        }
        hasGivenUp = true
        // As the pool says it.
        reject(new Error('timeout exceeded when trying to connect'))
      }
      let timer = globalThis.setTimeout(giveUp, waitMax)
      const use = async () => {
        clearTimeout(timer)
        if (hasGivenUp) return
        const connection = await connectPatiently(begun)
        const released = new Promise<void>((done) => inUse.set(connection, done))
        resolve(connection)
        await released
      }
      run('connection', use, clients.getStore()).catch((error: Error) => {
        clearTimeout(timer)
        reject(error)
      })
    })
  pool.connect = take as typeof pool.connect
}

/** SQLSTATE 53300, and how poolers say the same. */
const isCrowded = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '53300' || /no more connections allowed|max client connections/i.test(error.message))
