import { sql, type SqlBool } from 'kysely'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import { HOUR, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

/**
 * Tolerance for block times, in milliseconds: nodes accept any time later than the median of the last eleven blocks.
 */
export const blockTimeTolerance = 2 * HOUR

export type FoundTransfer = {
  addressId: string
  txId: string
  output: number
  /** Decimal text. */
  amount: string
  block: { height: number; hash: string; at: Date } | null
}

/**
 * Stores transfers, one per output. One in a block keeps its block if it was also seen in the mempool, because that
 * query was made at a slightly different time.
 */
export async function saveTransfers(db: Tx, coin: string, found: readonly FoundTransfer[]): Promise<void> {
  for (const { addressId, txId, output, amount, block } of found) {
    const at = { height: block?.height ?? null, block_hash: block?.hash ?? null, block_at: block?.at ?? null }
    await db
      .insertInto('chain_transfer')
      .values({ coin, address_id: addressId, tx_id: txId, output, amount, ...at })
      .onConflict((conflict) =>
        conflict
          .columns(['coin', 'tx_id', 'output'])
          .doUpdateSet({
            ...(block && { ...at, reorganised_at: null }),
            gone_at: null,
            changed_at: sql<Date>`now()`,
          })
          .where(
            sql<boolean>`chain_transfer.gone_at is not null
              or chain_transfer.block_hash is distinct from coalesce(${at.block_hash}::text, chain_transfer.block_hash)`,
          ),
      )
      .execute()
  }
}

/** Marks transfers in abandoned blocks as unconfirmed, until another block contains them. */
export async function markUnconfirmedFrom(db: Tx, coin: string, height: number): Promise<void> {
  await db
    .updateTable('chain_transfer')
    .set({
      height: null,
      block_hash: null,
      block_at: null,
      reorganised_at: sql<Date>`now()`,
      changed_at: sql<Date>`now()`,
    })
    .where('coin', '=', coin)
    .where('height', '>=', height)
    .execute()
}

/** Lists the IDs of counted, unconfirmed transactions, in order, after a given ID. */
export const listUnconfirmed = async (
  db: Tx,
  coin: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('chain_transfer')
    .select('tx_id')
    .distinct()
    .where('coin', '=', coin)
    .where('height', 'is', null)
    .where('gone_at', 'is', null)
    .where('tx_id', '>', after)
    .orderBy('tx_id')
    .limit(limit)
    .execute()
  return rows.map(({ tx_id }) => tx_id)
}

/** Marks those of the transactions that are in no block as gone. */
export async function markUnconfirmedGone(db: Tx, coin: string, txIds: readonly string[]): Promise<void> {
  if (txIds.length === 0) return
  await db
    .updateTable('chain_transfer')
    .set({ gone_at: sql<Date>`now()`, changed_at: sql<Date>`now()` })
    .where('coin', '=', coin)
    .where('tx_id', 'in', txIds)
    .where('height', 'is', null)
    .where('gone_at', 'is', null)
    .execute()
}

/** Marks all transfers as gone: payments on another network have no value on this one. */
export async function markAllGone(db: Tx, coin: string): Promise<void> {
  await db
    .updateTable('chain_transfer')
    .set({
      gone_at: sql<Date>`now()`,
      height: null,
      block_hash: null,
      block_at: null,
      reorganised_at: null,
      changed_at: sql<Date>`now()`,
    })
    .where('coin', '=', coin)
    .where('gone_at', 'is', null)
    .execute()
}

export async function markGone(db: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('chain_transfer')
    .set({
      gone_at: sql<Date>`now()`,
      reorganised_at: sql<Date | null>`case when height is not null then now() else reorganised_at end`,
      height: null,
      block_hash: null,
      block_at: null,
      changed_at: sql<Date>`now()`,
    })
    .where('id', 'in', ids)
    .where('gone_at', 'is', null)
    .execute()
}

/** Lists transfers to an address, oldest first: all, or only those of one transaction. */
export const listTransfers = (db: Tx, addressId: string, txId: string | null, limit: number) =>
  db
    .selectFrom('chain_transfer')
    .select(['id', 'tx_id', 'output', 'amount', 'height', 'block_hash', 'block_at'])
    .select(['first_seen_at', 'gone_at', 'reorganised_at', 'changed_at'])
    .where('address_id', '=', addressId)
    .$if(txId !== null, (query) => query.where('tx_id', '=', txId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
    .then((rows) => rows.toReversed())

/** Lists transfers to the order's own addresses, for the member's data export. */
export const listArrivedFor = (db: Tx, orderId: string) =>
  db
    .selectFrom('chain_transfer')
    .innerJoin('chain_address', 'chain_address.id', 'chain_transfer.address_id')
    .select(['chain_transfer.coin', 'chain_address.address', 'chain_transfer.tx_id as transaction'])
    .select(['chain_transfer.amount', 'chain_transfer.height as block'])
    .select(['chain_transfer.first_seen_at as seenAt', 'chain_transfer.gone_at as goneAt'])
    .where('chain_address.order_id', '=', orderId)
    .orderBy('chain_transfer.id')
    .limit(1000)
    .execute()

/** Whether a transfer arrived at an address of this order alone after it was placed. */
export const hasArrived = sql<SqlBool>`exists (
  select from chain_address own join chain_transfer arrived on arrived.address_id = own.id
  where own.order_id = token_order.id and arrived.gone_at is null and arrived.first_seen_at >= token_order.created_at
    and coalesce(arrived.block_at >= token_order.created_at - ${blockTimeTolerance / SECOND} * interval '1 second', true))`

/**
 * What arrived at addresses that only one order has or had, each with the key of its transaction. An order names only
 * one transaction, but may have been paid by several.
 */
export const orderArrivals = sql`(select own.order_id, regexp_replace(transfer.tx_id, '^0x', '') as tx_key
  from chain_transfer transfer join chain_address own on own.id = transfer.address_id
  where own.order_id is not null and transfer.gone_at is null)`

export const hasArrivedFor = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', orderId)
    .where(hasArrived)
    .executeTakeFirst()) !== undefined

/** Lists transfers at addresses of this order alone that it no longer uses, because its payment method changed. */
export const listElsewhere = (db: Tx, orderId: string, address: string) =>
  db
    .selectFrom('chain_transfer')
    .innerJoin('chain_address', 'chain_address.id', 'chain_transfer.address_id')
    .select(['chain_transfer.tx_id as txId', 'chain_transfer.first_seen_at as firstSeenAt'])
    .select('chain_transfer.block_at as blockAt')
    .where('chain_address.order_id', '=', orderId)
    .where('chain_address.address', '!=', address)
    .where('chain_transfer.gone_at', 'is', null)
    .orderBy('chain_transfer.id', 'desc')
    .limit(100)
    .execute()

/**
 * Deletes transfers to shared addresses that are older than any order; those of an order are deleted with it. What the
 * treasury sent to the address of an order stays as long as the order: it proves a delivery, or keeps one from being
 * paid again.
 */
export async function deleteOldTransfers(db: Tx, age: number): Promise<void> {
  await sql`
    delete from chain_transfer t using chain_address a
    where a.id = t.address_id and a.order_id is null and t.changed_at < ${ago(age)}
      and not (a.coin = ${tokenCoin} and (exists (select from payout_item paid where paid.address = a.address)
        or exists (select from token_order owed
          where owed.fab_address <> '' and lower(owed.fab_address) = lower(a.address))))`.execute(db)
}
