import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { recordCommitted } from './committed-changes.ts'
import type { Given } from './database-client.ts'
import { shareFairly } from './fair-connections.ts'
import { poolLimitsDefault, type PoolLimits } from '../config/pool-limits.ts'
import { makeSignal } from '../signal.ts'
import { isPreparedInVain, poolClient } from './prepared-statements.ts'
import type { DB as Tables } from './rows.ts'

export type Database = Kysely<Tables>

/**
 * The parameter of queries: the database or a transaction on it. It cannot start a transaction, so none is
 * nested.
 */
export type Tx = Omit<Database, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

const attemptsMax = 5
const pauseMax = 40

/**
 * Runs `work` in a transaction. Its parameter should shadow `db`, so that no query runs outside the
 * transaction. If the database aborts it in favor of another one, or a prepared statement is stale, `work` runs
 * again, so it must change nothing but the database.
 */
export const transaction = <T>(db: Database, work: (db: Tx) => Promise<T>): Promise<T> =>
  retryUntilDone(() => committed(db, work))

/** Does the same for a single statement, which is a transaction of its own. */
export async function retryUntilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      const mayAgain = isContention(error) || isPreparedInVain(error)
      if (!mayAgain || attempt === attemptsMax) throw error
      // Random pauses, so that transactions that collided do not collide again.
      await setTimeout(Math.random() * pauseMax * attempt)
    }
}

async function committed<T>(db: Database, work: (db: Tx) => Promise<T>): Promise<T> {
  let inside: Tx | undefined
  let failed: { cause: unknown } | undefined
  const noting = (tx: Tx) =>
    work((inside = tx)).catch((cause: unknown) => {
      failed = { cause }
      throw cause
    })
  const done = await db
    .transaction()
    .execute(noting)
    .catch((error: unknown) => {
      // If the connection is lost, the rollback fails as well, but the first failure is the reason.
      throw failed ? failed.cause : error
    })
  if (inside) recordCommitted(db, inside)
  return done
}

/**
 * Runs `work` on a database whose changes are rolled back, even those of its own transactions, which are savepoints of
 * one transaction here. Nothing is announced, and nothing is sent, because emails are rows too.
 */
export function rehearse<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  return retryUntilDone(async () => {
    let rehearsed: (() => T) | undefined
    const end = new Error('The rehearsal is rolled back.')
    try {
      await db.transaction().execute(async (tx) => {
        rehearsed = await work(asDatabase(tx)).then(
          (done) => () => done,
          (error: unknown) => () => {
            throw error
          },
        )
        throw end
      })
    } catch (error) {
      if (error !== end) throw error
    }
    return rehearsed!()
  })
}

/** A transaction in the place of the database: its own transactions are savepoints. */
function asDatabase(tx: Transaction<Tables>): Database {
  const execute = async (work: (db: Tx) => Promise<unknown>) => {
    await sql`savepoint step`.execute(tx)
    try {
      const done = await work(tx)
      await sql`release savepoint step`.execute(tx)
      return done
    } catch (error) {
      await sql`rollback to savepoint step`.execute(tx)
      throw error
    }
  }
  return new Proxy<Database>(tx, {
    get: (target, name) => {
      if (name === 'transaction') return () => ({ execute })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** Runs the work and rolls it back: this takes the same time and changes nothing. */
export async function runAndRollBack(db: Tx, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint in_vain`.execute(db)
  await work()
  await sql`rollback to savepoint in_vain`.execute(db)
}

/** Serialization failure and deadlock (SQLSTATE 40001, 40P01): one of several transactions was aborted. */
const contentionCodes = new Set(['40001', '40P01'])
const isContention = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && contentionCodes.has(error.code ?? '')

/**
 * Factor by which a request waits longer while the server has no connection left, because one becomes free as
 * others end.
 */
const patienceWhenCrowded = 4

type Options = { prepares?: boolean; limits?: PoolLimits }

/** A finished statement without its values, for tracing. Listeners are set when a database is opened. */
type StatementRun = { text: string; ms: number; hasFailed: boolean }
export const statementRuns = makeSignal<StatementRun>()

type PoolUse = { max: number; open: number; idle: number; waiting: number }
const pools = new WeakMap<Database, () => PoolUse>()
/** The state of the connections, for operators. */
export const poolUseOf = (db: Database): PoolUse | undefined => pools.get(db)?.()

/** `prepares` is false for poolers that reassign the connection after each statement. */
export function openDatabase(
  url: string,
  onConnectionError: (error: Error) => void,
  { prepares = true, limits = poolLimitsDefault }: Options = {},
): Database {
  const { connections, connect, statement, idle } = limits
  // Unknown options are passed on to each client.
  const options: pg.PoolConfig & Pick<Given, 'url' | 'limits'> = {
    Client: poolClient(prepares),
    max: connections,
    connectionTimeoutMillis: connect,
    idleTimeoutMillis: idle,
    keepAlive: true,
    url,
    limits: { statement, idleInTransaction: 2 * statement },
  }
  const pool = new pg.Pool(options)
  pool.on('error', onConnectionError)
  // A connection that fails while checked out emits the error itself, not through the pool; unhandled, it would
  // end the process.
  pool.on('connect', (client) => client.on('error', onConnectionError))
  shareFairly(pool, { atOnce: connections, waitMax: connect, crowdedMax: patienceWhenCrowded * connect })
  const waiting = countWaiting(pool)
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(statementRuns.isHeard() && {
      log: ({ level, query, queryDurationMillis: ms }) =>
        statementRuns.publish({ text: query.sql, ms, hasFailed: level === 'error' }),
    }),
  })
  pools.set(db, () => ({
    max: pool.options.max,
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: waiting(),
  }))
  return db
}

/** Number of requests waiting for a connection. */
function countWaiting(pool: pg.Pool): () => number {
  let waiting = 0
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const counted = async () => {
    waiting += 1
    try {
      return await take()
    } finally {
      waiting -= 1
    }
  }
  pool.connect = counted as typeof pool.connect
  return () => waiting
}

/** The server accepts no changes, as a replica does after a failover (SQLSTATE 25006). */
const readOnlyCode = '25006'
export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === readOnlyCode

const outageClasses = ['08', '53', '57', '58']
const outageCodes = new Set([
  ...contentionCodes,
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  '55P03',
  readOnlyCode,
])
const outageMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
]

/**
 * Whether an error means that the database is temporarily unavailable (SQLSTATE classes 08, 53, 57, 58), or so
 * contended that every attempt of a transaction was aborted, rather than a bug.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    outageCodes.has(code) ||
    (code.length === 5 && outageClasses.includes(code.slice(0, 2))) ||
    outageMessages.some((message) => error.message.includes(message))
  )
}

/** Whether the unique index of that name rejected a row (SQLSTATE 23505). */
export const isRefusedByIndex = (error: unknown, index: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index

/** Whether a row could not be deleted because rows of other tables refer to it (SQLSTATE 23503). */
export const isRefusedByReference = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23503'

/** Whether a unique value already existed (SQLSTATE 23505). */
export const isRefusedTwice = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'
