import { targetOf } from '../../platform/chain-keys/account-key.ts'
import { writeDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Moved } from '../../platform/nodes/block-source.ts'
import { coinOf, type ChainSetting } from '../../platform/config/read-chains.ts'
import {
  listPayMethodCodes,
  listSharedAddresses,
  listWatched,
  watchShared,
  watchTargets,
} from './address.queries.ts'
import type { FoundTransfer } from './transfer.queries.ts'

/** Lists the payment methods of the sale and of orders that use the coin. */
export const payMethodsOf = async (db: Tx, { coin }: ChainSetting): Promise<string[]> =>
  (await listPayMethodCodes(db)).filter((code) => coinOf(code) === coin)

/** Monitors the addresses of orders that have none of their own. */
export async function watchSharedAddresses(db: Tx, chain: ChainSetting): Promise<void> {
  const addresses = await listSharedAddresses(db, await payMethodsOf(db, chain))
  const targets = addresses.flatMap((address) => {
    const target = targetOf(address, chain.kind, chain.network)
    return target === undefined ? [] : [{ address, target }]
  })
  await watchShared(db, chain.coin, targets)
}

/** Returns which of the transfers went to a monitored address. */
export async function matchWatched(
  db: Tx,
  { coin, takesAll }: ChainSetting,
  moved: readonly Moved[],
): Promise<(Moved & { addressId: string })[]> {
  const targets = [...new Set(moved.map(({ target }) => target))].filter(({ length }) => length <= 128)
  if (targets.length === 0) return []
  if (takesAll) await watchTargets(db, coin, targets)
  const ids = new Map((await listWatched(db, coin, targets)).map(({ id, target }) => [target, id]))
  return moved.flatMap((each) => {
    const addressId = ids.get(each.target)
    return addressId === undefined ? [] : [{ ...each, addressId }]
  })
}

export const found = (
  { addressId, txId, output, amount }: Moved & { addressId: string },
  block: FoundTransfer['block'],
): FoundTransfer => ({ addressId, txId, output, amount: writeDecimal(amount), block })
