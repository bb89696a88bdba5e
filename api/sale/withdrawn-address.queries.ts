import { sql, type SqlBool } from 'kysely'

/**
 * Whether an order got a receiving address that was set back to the previous one within a day: it may have been a
 * mistake, or someone else's address. Orders keep their address, so their members may pay to it. The minute allows for
 * orders and changes that waited for each other.
 */
export const isAtWithdrawnAddress = sql<SqlBool>`(token_order.id in (
  select named.id from (
    select put.at as from_at, back.at as until_at, put_change ->> 'to' as address
    from setting_version put
      cross join jsonb_array_elements(put.changes) put_change
      join setting_version back on back.subject = 'sale' and back.id > put.id and back.at < put.at + interval '1 day'
      cross join jsonb_array_elements(back.changes) back_change
    where put.subject = 'sale' and put_change ->> 'path' like '%.receivingAddress'
      and back_change ->> 'path' = put_change ->> 'path'
      and back_change ->> 'from' = put_change ->> 'to' and back_change ->> 'to' = put_change ->> 'from'
  ) withdrawn
  join token_order named on lower(named.receiving_address) = lower(withdrawn.address) and named.receiving_address <> ''
    and named.created_at between withdrawn.from_at - interval '1 minute' and withdrawn.until_at + interval '1 minute'))`
