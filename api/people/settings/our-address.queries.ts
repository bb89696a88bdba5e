import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** An address without case, spaces, and punctuation, because account numbers are written in groups or without. */
const spelled = (address: string) => sql`regexp_replace(lower(${sql.ref(address)}), '[^[:alnum:]]', '', 'g')`

/** Returns which of the addresses are ours: the sale receives payments there, or an order has or had the address. */
export async function listOurAddresses(db: Tx, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select given.address from unnest(${addresses}::text[]) as given (address)
    where exists (select from pay_method
        where receiving_address <> '' and ${spelled('pay_method.receiving_address')} = ${spelled('given.address')})
      or exists (select from token_order
        where receiving_address <> '' and lower(receiving_address) = lower(given.address))
      or exists (select from chain_address
        where chain_address.order_id is not null and lower(chain_address.address) = lower(given.address))`.execute(
    db,
  )
  return rows.map(({ address }) => address)
}
