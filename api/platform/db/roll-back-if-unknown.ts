import { sql } from 'kysely'
import { transaction, type Database, type Tx } from './database.ts'

/**
 * Runs work for an address that may be unknown, so that its duration reveals nothing, on an idle or a busy
 * machine: for an unknown address the same rows are written and rolled back. The transaction is committed
 * either way, so both wait for the disk.
 */
export const rollBackIfUnknown = (
  db: Database,
  work: (db: Tx) => Promise<{ isForNobody: boolean }>,
): Promise<void> =>
  transaction(db, async (db) => {
    await sql`savepoint before_work`.execute(db)
    const { isForNobody } = await work(db)
    await (isForNobody ? sql`rollback to savepoint before_work` : sql`release savepoint before_work`).execute(
      db,
    )
  })

/** Runs work that is rolled back unless it is wanted; both take equally long. */
export async function writeOrRollBack(db: Tx, isWanted: boolean, work: () => Promise<void>): Promise<void> {
  await sql`savepoint before_write`.execute(db)
  await work()
  await (isWanted ? sql`release savepoint before_write` : sql`rollback to savepoint before_write`).execute(db)
}
