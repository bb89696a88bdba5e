import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'
import { logOutage } from '../log-outage.ts'
import { isOutage, type Database } from './database.ts'

export type Replica = {
  /**
   * Runs work that only reads. It sees everything that was committed before it began, whichever instance committed it.
   */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  /** How often the replica and the primary were read, and whether the replica is left out now. */
  state(): { replica: number; primary: number; isLeftOut: boolean } | undefined
}

/** Without a replica, everything is read from the primary. */
export const withoutReplica = (db: Database): Replica => ({
  read: (work) => work(db),
  state: () => undefined,
})

/** How long a replica that is too far behind, or can't be reached, is left out. */
const pauseWhenBehind = SECOND
const pauseWhenAway = 10 * SECOND
/** Between two looks at how far the replica is. */
const pollEvery = 4

type Servers = {
  primary: Database
  replica: Database
  /** How long a read waits for the replica before it uses the primary, in milliseconds. */
  lagMax: number
  log: FastifyBaseLogger
}

/**
 * Reads from a replica that has replayed everything that the primary had written when the read began, and otherwise from
 * the primary. A short statement on the primary asks for this position, so no read misses the reader's own change.
 * Commits are visible only after their log was written (`synchronous_commit`), so the written position suffices.
 */
export function makeReplica({ primary, replica, lagMax, log }: Servers): Replica {
  const count = { replica: 0, primary: 0 }
  let leftOutUntil = 0
  const leaveOut = (pause: number) => void (leftOutUntil = performance.now() + pause)

  async function hasCaughtUp(connection: Database, position: string): Promise<boolean> {
    for (const end = performance.now() + lagMax; ; await setTimeout(pollEvery)) {
      if (await hasReplayed(connection, position)) return true
      if (performance.now() > end) return false
    }
  }

  const fromPrimary = <T>(work: (db: Database) => Promise<T>) => {
    count.primary += 1
    return work(primary)
  }
  return {
    async read(work) {
      if (performance.now() < leftOutUntil) return fromPrimary(work)
      try {
        const position = await findWrittenPosition(primary)
        // One connection for both, because the address may lead to several replicas.
        const found = await replica
          .connection()
          .execute(async (db) => ((await hasCaughtUp(db, position)) ? { value: await work(db) } : undefined))
        if (found) {
          count.replica += 1
          return found.value
        }
        leaveOut(pauseWhenBehind)
      } catch (error) {
        // It is also left out if replaying a change had to cancel the statement (SQLSTATE 40001).
        if (!isOutage(error)) throw error
        logOutage(log, 'replica', error as { code?: unknown })
        leaveOut(pauseWhenAway)
      }
      return fromPrimary(work)
    },
    state: () => ({ ...count, isLeftOut: performance.now() < leftOutUntil }),
  }
}

async function findWrittenPosition(primary: Database): Promise<string> {
  const { position } = await primary
    .selectNoFrom(sql<string>`pg_current_wal_flush_lsn()::text`.as('position'))
    .executeTakeFirstOrThrow()
  return position
}

/** A server that is no replica anymore isn't used, because it no longer follows the primary. */
async function hasReplayed(replica: Database, position: string): Promise<boolean> {
  const { isDone } = await replica
    .selectNoFrom(
      sql<boolean | null>`pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn`.as(
        'isDone',
      ),
    )
    .executeTakeFirstOrThrow()
  return isDone === true
}
