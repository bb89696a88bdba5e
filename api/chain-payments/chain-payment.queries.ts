import { sql } from 'kysely'
import type { ChainState } from '#contract/chain-payments.ts'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

export const findChainPayment = (db: Tx, orderId: string) =>
  db.selectFrom('chain_payment').selectAll().where('order_id', '=', orderId).executeTakeFirst()

export async function saveChainPayment(
  db: Tx,
  orderId: string,
  row: { coin: string; state: ChainState; received: string; isGone: boolean },
): Promise<void> {
  const values = { coin: row.coin, state: row.state, received: row.received, is_gone: row.isGone }
  await db
    .insertInto('chain_payment')
    .values({ order_id: orderId, ...values })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet({ ...values, judged_at: sql<Date>`now()` }),
    )
    .execute()
}

/**
 * The orders of which the chain may say something new: what arrived for them changed since they were judged, or is not final yet; and
 * those that share an address and name a transaction. Those that were not judged for longest come first.
 */
export async function listToJudge(
  db: Tx,
  coin: string,
  { payMethods, finalHeight, limit }: { payMethods: readonly string[]; finalHeight: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with moving as (
      select a.order_id, t.tx_id, a.order_id is null as is_shared, t.changed_at
      from chain_transfer t join chain_address a on a.id = t.address_id
      where t.coin = ${coin} and ((t.height is null and t.gone_at is null) or t.height > ${finalHeight}
        or t.changed_at > ${ago(DAY)})),
    found as (
      select order_id as id, changed_at, true as is_moving from moving where not is_shared
      union all
      select o.id, m.changed_at, true from moving m join token_order o on o.tx_key = regexp_replace(m.tx_id, '^0x', '')
      where m.is_shared and o.pay_method = any(${payMethods})
      union all
      select o.id, o.updated_at, false from token_order o
      where o.status = 'pending' and o.tx_key <> '' and o.pay_method = any(${payMethods}))
    select found.id from found left join chain_payment p on p.order_id = found.id
    group by found.id, p.judged_at
    order by p.judged_at nulls first limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
