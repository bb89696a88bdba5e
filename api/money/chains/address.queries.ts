import { sql } from 'kysely'
import { checkAddress } from '#contract/platform/chain-address.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

/**
 * Returns the next derivation index of the account. The row stays locked until the order is stored, so that no other
 * order gets the same index.
 */
export async function reservePosition(
  db: Tx,
  account: { id: string; coin: string; firstIndex: number },
): Promise<number> {
  const { next_position } = await db
    .insertInto('chain_account')
    .values({ id: account.id, coin: account.coin, next_position: account.firstIndex + 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        next_position: sql<number>`greatest(chain_account.next_position, ${account.firstIndex}) + 1`,
      }),
    )
    .returning('next_position')
    .executeTakeFirstOrThrow()
  return next_position - 1
}

export const findAddressOfOrder = (db: Tx, orderId: string, coin: string) =>
  db
    .selectFrom('chain_address')
    .select(['id', 'address', 'created_at'])
    .where('order_id', '=', orderId)
    .where('coin', '=', coin)
    .executeTakeFirst()

/** Returns the address shared by all orders that have none of their own. */
export const findSharedAddress = (db: Tx, coin: string, target: string) =>
  db
    .selectFrom('chain_address')
    .select(['id', 'address', 'created_at'])
    .where('coin', '=', coin)
    .where('target', '=', target)
    .where('order_id', 'is', null)
    .executeTakeFirst()

/**
 * Whether the sale or any order ever used the address. A derived address has only one spelling, apart from capitals.
 */
export async function isPaidAt(db: Tx, address: string): Promise<boolean> {
  const { rows } = await sql<{ isPaid: boolean }>`
    select exists (select from pay_method where lower(receiving_address) = lower(${address}))
      or exists (select from token_order
        where receiving_address <> '' and lower(receiving_address) = lower(${address})) as "isPaid"`.execute(
    db,
  )
  return rows[0]?.isPaid === true
}

/** Adds an address. Returns false if it is already monitored, in which case it keeps its order. */
export async function insertAddress(
  db: Tx,
  row: {
    coin: string
    target: string
    address: string
    orderId: string
    accountId: string
    position: number
  },
): Promise<boolean> {
  const added = await db
    .insertInto('chain_address')
    .values({
      coin: row.coin,
      target: row.target,
      address: row.address,
      order_id: row.orderId,
      account_id: row.accountId,
      position: row.position,
    })
    .onConflict((conflict) => conflict.columns(['coin', 'target']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Lists the addresses where the sale and pending orders are paid now, for the payment methods of the coin. */
export const listSharedAddresses = async (db: Tx, payMethods: readonly string[]): Promise<string[]> => {
  if (payMethods.length === 0) return []
  const { rows } = await sql<{ address: string }>`
    select receiving_address as address from pay_method where code = any(${payMethods})
    union
    select receiving_address from token_order
    where status = 'pending' and receiving_address <> '' and pay_method = any(${payMethods})
      and not exists (select from chain_address where chain_address.order_id = token_order.id
        and chain_address.address = token_order.receiving_address)`.execute(db)
  return rows.map(({ address }) => address)
}

export const listPayMethodCodes = async (db: Tx): Promise<string[]> =>
  (
    await sql<{ code: string }>`
      select code from pay_method union select distinct pay_method from token_order where status = 'pending'`.execute(
      db,
    )
  ).rows.map(({ code }) => code)

export async function watchShared(
  db: Tx,
  coin: string,
  addresses: readonly { address: string; target: string }[],
): Promise<void> {
  if (addresses.length === 0) return
  await db
    .insertInto('chain_address')
    .values(addresses.map((each) => ({ coin, ...each })))
    .onConflict((conflict) => conflict.columns(['coin', 'target']).doNothing())
    .execute()
}

/** Stores the addresses that transfers went to, in the form in which people write them. */
export const watchTargets = (db: Tx, coin: string, targets: readonly string[]): Promise<void> =>
  watchShared(
    db,
    coin,
    targets.map((target) => {
      const checked = checkAddress('ethereum', target, {})
      return { target, address: 'address' in checked ? checked.address : target }
    }),
  )

/** Number of assigned addresses of the account. */
export async function countAssigned(db: Tx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('chain_address')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns which of the targets are monitored. */
export const listWatched = (db: Tx, coin: string, targets: readonly string[]) =>
  db
    .selectFrom('chain_address')
    .select(['id', 'target'])
    .where('coin', '=', coin)
    .where(sql<boolean>`target = any(${targets})`)
    .execute()

/**
 * Addresses whose history matters: shared ones, those of pending orders, and those with transfers that are not final.
 */
const isLive = (finalHeight: number) => sql<boolean>`(a.order_id is null or o.status = 'pending'
  or exists (select from chain_transfer t where t.address_id = a.id
    and t.gone_at is null and (t.height is null or t.height > ${finalHeight})))`

/** Lists the addresses whose history is queried next, starting with those queried least recently. */
export async function listToQuery(db: Tx, coin: string, finalHeight: number, limit: number) {
  const { rows } = await sql<{ id: string; target: string }>`
    select a.id, a.target from chain_address a left join token_order o on o.id = a.order_id
    where a.coin = ${coin} and ${isLive(finalHeight)}
    order by a.asked_at nulls first limit ${limit}`.execute(db)
  return rows
}

/**
 * Lists addresses of orders that were closed, or whose deadline ended, within `age`. An address is assigned before its
 * order is closed. Starts from the recent orders, because most addresses belong to older ones.
 */
export async function listClosedToQuery(db: Tx, coin: string, age: number, limit: number) {
  const { rows } = await sql<{ id: string; target: string }>`
    select a.id, a.target from chain_address a join token_order o on o.id = a.order_id
    where a.coin = ${coin} and o.status <> 'pending' and o.id in (
      select order_id from order_step
        where kind in ('completed', 'cancelled', 'unpaid', 'withdrawn') and at > ${ago(age)}
      union select id from token_order
        where coalesce(pay_before, 'infinity') > ${ago(age)} and pay_before is not null)
    order by a.asked_at nulls first limit ${limit}`.execute(db)
  return rows
}

/**
 * Whether an address that matters has not been queried since the given time. Nothing could arrive there before it was
 * assigned.
 */
export async function hasUnqueried(db: Tx, coin: string, finalHeight: number, since: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select a.id from chain_address a left join token_order o on o.id = a.order_id
    where a.coin = ${coin} and ${isLive(finalHeight)} and coalesce(a.asked_at, a.created_at) < ${since}
    limit 1`.execute(db)
  return rows.length > 0
}

export async function markAsked(db: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('chain_address')
    .set({ asked_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()
}
