import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/chain-address.ts'
import type { Tx } from '../db/database.ts'
import { refusedField } from '../refused.ts'
import type { OrderChange } from './order.queries.ts'
import { listOurAddresses } from '../sale/our-address.queries.ts'

const addressFields = {
  ethAddress: 'ethereum',
  btcAddress: 'bitcoin',
  fabAddress: 'token',
} as const satisfies Record<string, AddressChain>

/**
 * Returns the addresses in the canonical form of their chains. Rejects our own addresses, which were probably copied from
 * the payment page: tokens sent there would come back to us.
 */
export async function checkedAddresses(
  db: Tx,
  given: { [Name in keyof typeof addressFields]?: string | undefined },
): Promise<OrderChange> {
  const checked: OrderChange = {}
  for (const name of Object.keys(addressFields) as (keyof typeof addressFields)[]) {
    const text = given[name]
    if (!text) continue
    const result = checkAddress(addressFields[name], text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    checked[name] = result.address
  }
  const ours = await listOurAddresses(db, Object.values(checked) as string[])
  for (const [name, address] of Object.entries(checked))
    if (ours.includes(address as string)) throw refusedField(name, 'our_address')
  return checked
}
