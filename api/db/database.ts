import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { noteCommitted } from './committed-changes.ts'
import type { Given } from './database-client.ts'
import { shareFairly } from './fair-connections.ts'
import { poolLimitsDefault, type PoolLimits } from '../pool-limits.ts'
import { makeSignal } from '../signal.ts'
import { isPreparedInVain, poolClient } from './prepared-statements.ts'
import type { DB as Tables } from './rows.ts'

export type Database = Kysely<Tables>

/** The parameter of queries: the database or a transaction on it. It cannot begin a transaction, so none is nested. */
export type Tx = Omit<Database, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

const attemptsMax = 5
const pauseMax = 40

/**
 * Runs `work` in a transaction. Its parameter should shadow `db`, so that no query runs outside the transaction. When
 * the database gives it up for the sake of another one, or what was prepared is stale, `work` runs again: it changes nothing
 * but the database.
 */
export const transaction = <T>(db: Database, work: (db: Tx) => Promise<T>): Promise<T> =>
  untilDone(() => committed(db, work))

/** The same for a single statement, which is a transaction of its own. */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      const mayAgain = isContention(error) || isPreparedInVain(error)
      if (!mayAgain || attempt === attemptsMax) throw error
      // Apart in time, or those that met once meet again.
      await setTimeout(Math.random() * pauseMax * attempt)
    }
}

async function committed<T>(db: Database, work: (db: Tx) => Promise<T>): Promise<T> {
  let inside: Tx | undefined
  const done = await db.transaction().execute((tx) => work((inside = tx)))
  if (inside) noteCommitted(db, inside)
  return done
}

/** Does the work within a transaction and takes it back: it takes as long, and leaves nothing. */
export async function inVain(db: Tx, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint in_vain`.execute(db)
  await work()
  await sql`rollback to savepoint in_vain`.execute(db)
}

/** Serialisation failure and deadlock (SQLSTATE 40001, 40P01): of several transactions one was given up. */
const contentionCodes = new Set(['40001', '40P01'])
const isContention = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && contentionCodes.has(error.code ?? '')

/** So much longer a request waits while the server has no connection left for anybody: one comes free as others end. */
const patienceWhenCrowded = 4

type Options = { prepares?: boolean; limits?: PoolLimits }

/** A statement that ended, without its values, for whoever traces. What is heard is decided when a database is opened. */
export type StatementRun = { text: string; ms: number; hasFailed: boolean }
export const statementRuns = makeSignal<StatementRun>()

export type PoolUse = { max: number; open: number; idle: number; waiting: number }
const pools = new WeakMap<Database, () => PoolUse>()
/** What the connections are doing, for operators. */
export const poolUseOf = (db: Database): PoolUse | undefined => pools.get(db)?.()

/** `prepares` is off for poolers that give the connection of one statement to somebody else for the next. */
export function openDatabase(
  url: string,
  onConnectionError: (error: Error) => void,
  { prepares = true, limits = poolLimitsDefault }: Options = {},
): Database {
  const { connections, connect, statement, idle } = limits
  // What it does not know itself it hands to each of its clients.
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
  // A connection that fails while checked out emits its error itself, not on the pool; unhandled, it would end the process.
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

/** How many wait for a connection now. */
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
  '25006',
])
const outageMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
]

/**
 * Whether an error means that the database is temporarily unavailable (SQLSTATE classes 08, 53, 57, 58), or so contended
 * that every attempt of a transaction was given up, rather than a bug.
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

/** Whether the unique index of that name refused a row (SQLSTATE 23505). */
export const isRefusedByIndex = (error: unknown, index: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index

/** Whether a row could not be deleted because rows of other tables refer to it (SQLSTATE 23503). */
export const isRefusedByReference = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23503'

/** Whether what can be there once only was there already (SQLSTATE 23505). */
export const isRefusedTwice = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'
