import { sql } from 'kysely'
import type { ChainState } from '#contract/money/chain-payments.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

export const findChainPayment = (db: Tx, orderId: string) =>
  db.selectFrom('chain_payment').selectAll().where('order_id', '=', orderId).executeTakeFirst()

export async function saveChainPayment(
  db: Tx,
  orderId: string,
  row: {
    coin: string
    state: ChainState
    received: string
    confirmed?: string
    isGone?: boolean
    hasSurplus?: boolean
    cameElsewhere?: boolean
  },
): Promise<void> {
  const values = {
    coin: row.coin,
    state: row.state,
    received: row.received,
    confirmed: row.confirmed ?? '0',
    is_gone: row.isGone ?? false,
    has_surplus: row.hasSurplus ?? false,
    came_elsewhere: row.cameElsewhere ?? false,
  }
  await db
    .insertInto('chain_payment')
    .values({ order_id: orderId, ...values })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet({ ...values, judged_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Flags money that arrived for a closed order, until finance records or refunds it. */
export async function flagUnexpected(db: Tx, orderId: string): Promise<void> {
  await db.updateTable('chain_payment').set({ has_surplus: true }).where('order_id', '=', orderId).execute()
}

/** Why the program leaves a paid order to a person; equals the flag of the order. */
export type LeftToPerson = 'new_price' | 'program_limit'

/** Records that a person must complete the paid order. */
export async function leaveToPerson(db: Tx, orderId: string, cause: LeftToPerson): Promise<void> {
  await db
    .updateTable('chain_payment')
    .set({ left_to_person: cause })
    .where('order_id', '=', orderId)
    .execute()
}

/**
 * Lists orders whose evaluation may change: their transfers are not final or changed since; they share an address and
 * name a transaction; or they are pending and paid, here or elsewhere. The least recently evaluated come first,
 * alternating between orders with changed transfers and others, so that neither group delays the other.
 */
export async function listToEvaluate(
  db: Tx,
  coin: string,
  { payMethods, finalHeight, limit }: { payMethods: readonly string[]; finalHeight: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with moving as (
      select a.order_id, t.tx_id, t.changed_at,
        (t.height is null and t.gone_at is null) or coalesce(t.height > ${finalHeight}, false) as is_live
      from chain_transfer t join chain_address a on a.id = t.address_id
      where t.coin = ${coin} and ((t.height is null and t.gone_at is null) or t.height > ${finalHeight}
        or t.changed_at > ${ago(DAY)})),
    found as (
      select order_id as id, changed_at, is_live, true as moves from moving where order_id is not null
      union all
      select o.id, m.changed_at, m.is_live, true
      from moving m join token_order o on o.tx_key <> '' and o.tx_key = regexp_replace(m.tx_id, '^0x', '')
      where m.order_id is null and o.pay_method = any(${payMethods})
      union all
      select o.id, now(), true, false from token_order o
      where o.status = 'pending' and o.tx_id <> '' and o.pay_method = any(${payMethods})
      union all
      select p.order_id, now(), true, false from chain_payment p join token_order o on o.id = p.order_id
      where p.coin = ${coin} and o.status = 'pending'
        and (p.state = 'paid' or p.came_elsewhere))
    select found.id from found left join chain_payment p on p.order_id = found.id
    where found.is_live or p.judged_at is null or found.changed_at >= p.judged_at
    group by found.id, p.judged_at
    order by row_number() over (partition by bool_or(found.moves) order by p.judged_at nulls first, found.id),
      bool_or(found.moves) desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the evaluation of an order whose payment method changed: earlier payments went elsewhere, until the chains
 * are polled again.
 */
export async function deleteChainEvaluation(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('chain_payment')
    .set({
      state: 'awaited',
      received: '0',
      confirmed: '0',
      came_elsewhere: sql<boolean>`came_elsewhere or received > 0`,
    })
    .where('order_id', '=', id)
    .execute()
}
