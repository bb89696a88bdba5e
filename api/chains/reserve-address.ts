import { deriveAddress } from '../chain-keys/account-key.ts'
import type { Tx } from '../db/database.ts'
import type { ChainSetting } from '../read-chains.ts'
import { findAddressOfOrder, insertAddress, takePosition } from './address.queries.ts'

/**
 * The order's own address on the chain, derived from the extended public key; null where none is set. An index is given once,
 * whoever asks meanwhile, and an order that comes back to a coin gets the address that it had.
 */
export async function reserveAddress(
  db: Tx,
  { coin, kind, network, account, firstIndex }: ChainSetting,
  orderId: string,
): Promise<string | null> {
  if (account === null) return null
  const known = await findAddressOfOrder(db, orderId, coin)
  if (known) return known.address
  const position = await takePosition(db, { id: account.id, coin, firstIndex })
  const { address, target } = deriveAddress(account, position, kind, network)
  await insertAddress(db, { coin, target, address, orderId, accountId: account.id, position })
  return address
}
