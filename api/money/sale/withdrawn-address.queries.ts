import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/**
 * Records the receiving addresses that the last change of the sale (already stored) set back within a day, in one step or
 * in several: each may have been a mistake, or someone else's address. The minute allows for orders and changes that waited for each other.
 */
export async function recordWithdrawnAddresses(db: Tx): Promise<void> {
  await sql`
    insert into withdrawn_address (address, from_at, until_at)
    select distinct lower(put_change ->> 'to'), put.at - interval '1 minute', back.at + interval '1 minute'
    from (select * from setting_version where subject = 'sale' order by id desc limit 1) back
      cross join jsonb_array_elements(back.changes) back_change
      join setting_version put on put.subject = 'sale' and put.id < back.id and put.at > back.at - interval '1 day'
      cross join jsonb_array_elements(put.changes) put_change
    where put_change ->> 'path' like '%.receivingAddress' and put_change ->> 'to' <> ''
      and back_change ->> 'path' = put_change ->> 'path' and back_change ->> 'to' <> put_change ->> 'to'
      and exists (select from setting_version left_at cross join jsonb_array_elements(left_at.changes) left_change
        where left_at.subject = 'sale' and left_at.id <= put.id and left_at.at > back.at - interval '1 day'
          and left_change ->> 'path' = put_change ->> 'path' and left_change ->> 'from' = back_change ->> 'to')
    on conflict do nothing`.execute(db)
}

export async function insertWithdrawnAddress(
  db: Tx,
  { address, from, until }: { address: string; from: Date; until: Date },
): Promise<void> {
  await db
    .insertInto('withdrawn_address')
    .values({ address: address.toLowerCase(), from_at: from, until_at: until })
    .execute()
}

/** Whether an order got a receiving address that was set back. Orders keep it, so their members may pay to it. */
export const isAtWithdrawnAddress = sql<SqlBool>`(token_order.receiving_address <> '' and exists (
  select from withdrawn_address withdrawn where withdrawn.address = lower(token_order.receiving_address)
    and token_order.created_at >= withdrawn.from_at and token_order.created_at < withdrawn.until_at))`
