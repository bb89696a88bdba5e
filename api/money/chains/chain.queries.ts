import { sql, type NotNull } from 'kysely'
import type { ChainError } from '#contract/money/chain-payments.ts'
import type { Tx } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/db/expressions.ts'
import { markAllGone } from './transfer.queries.ts'

export const findWatch = (db: Tx, coin: string) =>
  db.selectFrom('chain_watch').selectAll().where('coin', '=', coin).executeTakeFirst()

/**
 * Acquires the lease on the coin's monitor for a poll, if no other instance holds it and the poll is due; otherwise
 * returns undefined.
 */
export async function acquireWatch(db: Tx, coin: string, holder: string, lease: number) {
  await db
    .insertInto('chain_watch')
    .values({ coin })
    .onConflict((conflict) => conflict.column('coin').doNothing())
    .execute()
  return db
    .updateTable('chain_watch')
    .set({ lease_holder: holder, lease_until: fromNow(lease), tried_at: sql<Date>`now()` })
    .where('coin', '=', coin)
    .where('next_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`(lease_until is null or lease_until <= now() or lease_holder = ${holder})`)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Locks the monitor within a transaction and extends its lease. Undefined if another instance has acquired it
 * meanwhile.
 */
export const lockWatch = (db: Tx, coin: string, holder: string, lease: number) =>
  db
    .updateTable('chain_watch')
    .set({ lease_until: fromNow(lease) })
    .where('coin', '=', coin)
    .where('lease_holder', '=', holder)
    .returningAll()
    // It was set when the lease was acquired.
    .$narrowType<{ tried_at: NotNull }>()
    .executeTakeFirst()

/** Releases the lease; `wait` is the time until the next poll, in milliseconds. */
export async function releaseWatch(
  db: Tx,
  coin: string,
  holder: string,
  outcome: { wait: number; failure: ChainError | null; tipHeight: number | null; knownUntil: Date | null },
): Promise<void> {
  await db
    .updateTable('chain_watch')
    .set({
      lease_holder: null,
      lease_until: null,
      next_at: fromNow(outcome.wait),
      failure: outcome.failure,
      failures: outcome.failure === null ? 0 : sql<number>`failures + 1`,
      ...(outcome.tipHeight !== null && { tip_height: outcome.tipHeight }),
      ...(outcome.knownUntil && { looked_at: sql<Date>`greatest(looked_at, ${outcome.knownUntil})` }),
    })
    .where('coin', '=', coin)
    .where('lease_holder', '=', holder)
    .execute()
}

/** Resets the monitor if the network changed: data of one network says nothing about another. */
export async function setNetwork(db: Tx, coin: string, network: string): Promise<void> {
  await db
    .updateTable('chain_watch')
    .set({ network, height: null, tip_height: null, looked_at: null })
    .where('coin', '=', coin)
    .execute()
  await db.deleteFrom('chain_block').where('coin', '=', coin).execute()
  await markAllGone(db, coin)
}

export async function setHeight(db: Tx, coin: string, height: number | null): Promise<void> {
  await db.updateTable('chain_watch').set({ height }).where('coin', '=', coin).execute()
}

export async function addBlock(
  db: Tx,
  coin: string,
  block: { height: number; hash: string },
  kept: number,
): Promise<void> {
  await db
    .insertInto('chain_block')
    .values({ coin, height: block.height, hash: block.hash })
    .onConflict((conflict) => conflict.columns(['coin', 'height']).doUpdateSet({ hash: block.hash }))
    .execute()
  await db
    .deleteFrom('chain_block')
    .where('coin', '=', coin)
    .where('height', '<=', block.height - kept)
    .execute()
}

export const findBlock = (db: Tx, coin: string, height: number) =>
  db
    .selectFrom('chain_block')
    .select(['height', 'hash'])
    .where('coin', '=', coin)
    .where('height', '=', height)
    .executeTakeFirst()

/** Deletes the block at the height and all above it, which have left the best chain. Returns the remaining height. */
export async function deleteBlocks(db: Tx, coin: string, from: number): Promise<number | null> {
  await db.deleteFrom('chain_block').where('coin', '=', coin).where('height', '>=', from).execute()
  const left = await db
    .selectFrom('chain_block')
    .select(({ fn }) => fn.max('height').as('height'))
    .where('coin', '=', coin)
    .executeTakeFirst()
  return left?.height ?? null
}
