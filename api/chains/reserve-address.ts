import { deriveAddress } from '../chain-keys/account-key.ts'
import type { Tx } from '../db/database.ts'
import type { ChainSetting } from '../read-chains.ts'
import { findAddressOfOrder, insertAddress, isPaidAt, reservePosition } from './address.queries.ts'

/**
 * Reserves the order's own address on the chain, derived from the extended public key; null if no key is set. Each
 * index is assigned once, even to concurrent requests, and an order that returns to a coin gets the same address again.
 * The wallet may already have been used, for example by the sale, so addresses that anyone else was told to pay to are
 * skipped.
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
    const position = await reservePosition(db, { id: account.id, coin, firstIndex })
    const { address, target } = deriveAddress(account, position, kind, network)
    const row = { coin, target, address, orderId, accountId: account.id, position }
    if (!(await isPaidAt(db, address)) && (await insertAddress(db, row))) return address
  }
}
