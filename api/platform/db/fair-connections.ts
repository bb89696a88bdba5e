import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createFairQueues } from '../fair-queues.ts'
import { isLimitRefused } from './database-client.ts'

const clients = new AsyncLocalStorage<string>()

/** Counts the database connections of `work` for this client. */
export const forClient = <T>(client: string, work: () => T): T => clients.run(client, work)

/** The maximum number of waiting requests per client; more are refused at once. */
const waitingMaxOfClient = 1000
/** Milliseconds between attempts while the server has no connection left. */
const pauseMax = 400

type Patience = {
  atOnce: number
  waitMax: number
  /** Used instead while the server has no connection left. */
  crowdedMax: number
}

/**
 * Assigns the connections of a pool to clients in turn, so that a client with hundreds of requests delays
 * others by one turn only. The program's own work counts as one client. Requests that wait too long are
 * refused.
 */
export function shareFairly(pool: pg.Pool, { atOnce, waitMax, crowdedMax }: Patience): void {
  const run = createFairQueues(['connection'], { atOnce, waitingMax: Infinity, waitingMaxOfClient })
  const inUse = new Map<pg.PoolClient, () => void>()
  /** Until when the server counts as crowded. */
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
        // The limitation is now known, and the next attempt leaves them out.
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
        // The pool's own message.
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

/** SQLSTATE 53300, and the messages of poolers for it. */
const isCrowded = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '53300' || /no more connections allowed|max client connections/i.test(error.message))
