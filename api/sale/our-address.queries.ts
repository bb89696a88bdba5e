import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Returns which of the addresses are ours: the sale receives payments there, or an order was to be paid there. */
export async function listOurAddresses(db: Tx, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from unnest(${addresses}::text[]) address
    where exists (select from pay_method where lower(pay_method.receiving_address) = lower(address))
      or exists (select from token_order
        where receiving_address <> '' and lower(receiving_address) = lower(address))`.execute(db)
  return rows.map(({ address }) => address)
}
