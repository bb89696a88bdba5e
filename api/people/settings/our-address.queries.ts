import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/**
 * An address without case, spaces, and punctuation, because account numbers are written in groups or without. Written
 * exactly as in the index.
 */
const spelled = (address: RawBuilder<unknown>) =>
  sql`regexp_replace(lower(${address}), '[^[:alnum:]]', '', 'g')`

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Returns a whole address in that spelling, so that two spellings of one address are the same. */
export const spellingOf = (address: string): string => wordsOf(address).join('')

/**
 * Returns everything that the text may name as an address, in that spelling: each run of its words, because a name may
 * precede or follow the number of an account.
 */
function spellingsIn(text: string): string[] {
  const words = wordsOf(text)
  return words.flatMap((_, from) =>
    words.slice(from).map((__, length) => words.slice(from, from + length + 1).join('')),
  )
}

/** Returns which of the addresses are ours: the sale receives payments there, or an order has or had the address. */
export async function listOurAddresses(db: Tx, addresses: readonly string[]): Promise<string[]> {
  const given = addresses.flatMap((address) =>
    spellingsIn(address).map((spelling) => ({ address, spelling })),
  )
  const { rows } = await sql<{ address: string }>`
    select distinct given.address
    from unnest(${given.map(({ address }) => address)}::text[], ${given.map(({ spelling }) => spelling)}::text[])
      as given (address, spelling)
    where exists (select from pay_method
        where receiving_address <> '' and ${spelled(sql.ref('pay_method.receiving_address'))} = given.spelling)
      or exists (select from token_order
        where receiving_address <> '' and ${spelled(sql.ref('token_order.receiving_address'))} = given.spelling)
      or exists (select from chain_address
        where chain_address.order_id is not null and lower(chain_address.address) = lower(given.address))`.execute(
    db,
  )
  return rows.map(({ address }) => address)
}
