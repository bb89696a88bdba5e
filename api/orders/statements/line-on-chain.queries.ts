import { sql } from 'kysely'
import { blockTimeTolerance } from '../../chains/block-time.ts'
import type { Tx } from '../../db/database.ts'
import type { ChainSetting } from '../../read-chains.ts'
import type { OrderRow } from '../order.queries.ts'

export type OnChain = {
  /** Final amount that arrived at the order's address since it was placed. */
  confirmed: string
  /** Whether payments arrived there, but only before the order was placed. */
  isOlder: boolean
  /** Whether they arrived at an address that only this order has. */
  isOwn: boolean
}

/**
 * Returns what the chain monitor saw of a payment: everything that arrived at the order's own address, or what the
 * line's transaction paid to that or the shared address.
 */
export async function readOnChain(
  db: Tx,
  { coin, confirmations }: Pick<ChainSetting, 'coin' | 'confirmations'>,
  order: Pick<OrderRow, 'id' | 'created_at' | 'receiving_address'>,
  { key, target }: { key: string; target: string },
): Promise<OnChain> {
  const placedAt = order.created_at
  const earliestBlock = new Date(placedAt.getTime() - blockTimeTolerance)
  const { rows } = await sql<OnChain>`
    select coalesce(sum(amount) filter (where not is_older and height <= final_height), 0)::text as confirmed,
      coalesce(bool_and(is_older), false) as "isOlder", coalesce(bool_and(is_own), false) as "isOwn"
    from (
      select chain_transfer.amount, chain_address.order_id is not null as is_own, chain_transfer.height, chain_watch.height - ${confirmations}::int + 1 as final_height,
        chain_transfer.first_seen_at < ${placedAt}
          or coalesce(chain_transfer.block_at < ${earliestBlock}, false) as is_older
      from chain_transfer
      join chain_address on chain_address.id = chain_transfer.address_id
      left join chain_watch on chain_watch.coin = chain_address.coin
      where chain_address.coin = ${coin} and chain_transfer.gone_at is null
        and (${key} = '' or chain_transfer.tx_id in (${key}, '0x' || ${key}))
        and (chain_address.order_id = ${order.id} and chain_address.address = ${order.receiving_address}
          or chain_address.order_id is null and chain_address.target = ${target} and ${key} <> '')
    ) transfers`.execute(db)
  return rows[0]!
}
