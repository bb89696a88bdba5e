import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { makeLanes } from '../hashing-lanes.ts'

const clients = new AsyncLocalStorage<string>()

/** What `work` asks of the database, it asks for this client. */
export const forClient = <T>(client: string, work: () => T): T => clients.run(client, work)

/** So many may wait of one client; more are refused at once. */
const waitingMaxOfClient = 1000

/**
 * Gives the connections of a pool to clients by turns: whoever asks for hundreds of things at once delays others by one turn,
 * not by all of them. Work of the program itself counts as one client. Whoever waits longer than `waitMax` is refused.
 */
export function shareFairly(pool: pg.Pool, { atOnce, waitMax }: { atOnce: number; waitMax: number }): void {
  const run = makeLanes(['connection'], { atOnce, waitingMax: Infinity, waitingMaxOfClient })
  const inUse = new Map<pg.PoolClient, () => void>()
  pool.on('release', (_error, connection) => {
    inUse.get(connection)?.()
    inUse.delete(connection)
  })
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const take = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      let hasGivenUp = false
      const giveUp = () => {
        hasGivenUp = true
        // As the pool says it.
        reject(new Error('timeout exceeded when trying to connect'))
      }
      const timer = setTimeout(giveUp, waitMax)
      const use = async () => {
        clearTimeout(timer)
        if (hasGivenUp) return
        const connection = await connect()
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
