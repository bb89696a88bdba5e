import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/chain-address.ts'
import { refusedField } from '../refused.ts'
import type { OrderChange } from './order.queries.ts'

const addressFields = {
  ethAddress: 'ethereum',
  btcAddress: 'bitcoin',
  fabAddress: 'token',
} as const satisfies Record<string, AddressChain>

/** Returns the addresses in the canonical form of their chains. */
export function checkedAddresses(given: {
  [Name in keyof typeof addressFields]?: string | undefined
}): OrderChange {
  const checked: OrderChange = {}
  for (const name of Object.keys(addressFields) as (keyof typeof addressFields)[]) {
    const text = given[name]
    if (!text) continue
    const result = checkAddress(addressFields[name], text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    checked[name] = result.address
  }
  return checked
}
