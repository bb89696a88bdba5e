import type { api } from '#contract/api.ts'
import { chainErrors, type ChainWatcher } from '#contract/money/chain-payments.ts'
import { deriveAddress } from '../../platform/chain-keys/account-key.ts'
import { countAssigned } from '../chains/address.queries.ts'
import { findWatch } from '../chains/chain.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { staleAfter } from './read-evidence.ts'

/** Returns the status of each chain monitor. Only numbers come from the nodes. */
export const readMonitors = (
  db: Tx,
  { chains, completesPaidOrders, token }: Pick<Config, 'chains' | 'completesPaidOrders' | 'token'>,
): Promise<ChainWatcher[]> =>
  Promise.all(
    [...chains, ...(token.watch ? [token.watch.chain] : [])].map(
      async ({ coin, kind, network, way, confirmations, account }) => {
        const watch = await findWatch(db, coin)
        const lookedAt = watch?.looked_at ?? null
        return {
          coin,
          kind,
          network,
          way,
          reached: watch?.failure === null && lookedAt !== null,
          height: watch?.height ?? null,
          lag: lagOf(watch),
          lastLookedAt: lookedAt?.toISOString() ?? null,
          isStale: lookedAt === null || Date.now() - lookedAt.getTime() > staleAfter,
          error: chainErrors.find((each) => each === watch?.failure) ?? null,
          confirmationsNeeded: confirmations,
          hasOwnAddresses: account !== null,
          firstAddress: account && deriveAddress(account, 0, kind, network).address,
          addressesGiven: account ? await countAssigned(db, account.id) : 0,
          completes: completesPaidOrders,
        }
      },
    ),
  )

/** Returns how many blocks are still to be scanned; null if that is unknown. */
function lagOf(watch: Awaited<ReturnType<typeof findWatch>>): number | null {
  const { height = null, tip_height: tip = null } = watch ?? {}
  return height === null || tip === null ? null : Math.max(0, tip - height)
}

export const listChainMonitors: Handler<typeof api.listChainMonitors> = async (_, { db, config }) => ({
  at: new Date().toISOString(),
  watchers: await readMonitors(db, config),
})
