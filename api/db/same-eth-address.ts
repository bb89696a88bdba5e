import { sql, type RawBuilder } from 'kysely'

/** Matches an Ethereum address in any spelling: its case is only a checksum, and 0x is often omitted. */
export function isSameEthAddress(given: string): RawBuilder<boolean> {
  const text = given.toLowerCase()
  const other = /^[0-9a-f]{40}$/.test(text) ? `0x${text}` : text.replace(/^0x(?=[0-9a-f]{40}$)/, '')
  return sql<boolean>`lower(eth_address) in (${text}, ${other})`
}
