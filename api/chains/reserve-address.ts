import { deriveAddress } from '../chain-keys/account-key.ts'
import type { Tx } from '../db/database.ts'
import type { ChainSetting } from '../read-chains.ts'
import { findAddressOfOrder, insertAddress, isPaidAt, takePosition } from './address.queries.ts'

/**
 * The order's own address on the chain, derived from the extended public key; null where none is set. An index is given once,
 * whoever asks meanwhile, and an order that comes back to a coin gets the address that it had. The wallet of the key may have been
 * used before, by the sale itself for one: what anybody else was told to pay to is passed over.
 */
export async function reserveAddress(
  db: Tx,
  { coin, kind, network, account, firstIndex }: ChainSetting,
  orderId: string,
): Promise<string | null> {
  if (account === null) return null
  const known = await findAddressOfOrder(db, orderId, coin)
  if (known) return known.address
  for (;;) {
    const position = await takePosition(db, { id: account.id, coin, firstIndex })
    const { address, target } = deriveAddress(account, position, kind, network)
    const row = { coin, target, address, orderId, accountId: account.id, position }
    if (!(await isPaidAt(db, address)) && (await insertAddress(db, row))) return address
  }
}
