import { SECOND } from '#contract/durations.ts'
import { lookAtChain, readerOf, type ReadChain } from '../chains/look-at-chain.ts'
import type { Lease } from '../chains/lease.ts'
import type { Looked } from '../chains/scan-blocks.ts'
import { payMethodsOf } from '../chains/watched-targets.ts'
import { isOutage } from '../db/database.ts'
import { startEvery } from '../jobs/start-every.ts'
import type { Worker } from '../module.ts'
import type { ChainSetting } from '../read-chains.ts'
import type { Services } from '../services.ts'
import { listToJudge } from '../chains/chain-payment.queries.ts'
import { completeIfPaid } from './complete-paid.ts'
import { judgeOrder } from './judge-order.ts'

const ordersPerLook = 200
/** So many blocks after it is final a payment is judged again at each look. */
const judgedOn = 10

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log'>

/** Looks at each chain and judges what that says of orders. Of several instances one does so at a time, for each chain. */
export async function lookAndJudge(
  services: WorkerServices,
  chain: ChainSetting,
  read: ReadChain,
  isStopped: () => boolean = () => false,
  holder?: string,
) {
  const judge = async ({ tipHeight, listUnknown }: Looked, lease: Lease) => {
    const { db, log } = services
    const ids = await listToJudge(db, chain.coin, {
      payMethods: await payMethodsOf(db, chain),
      finalHeight: tipHeight - chain.confirmations - judgedOn,
      limit: ordersPerLook,
    })
    // All are judged before one is completed: what pays two of them is known by then.
    const steps = [
      ...ids.map((id) => [id, (of: WorkerServices) => judgeOrder(of, id, chain.coin, listUnknown)] as const),
      ...ids.map((id) => [id, (of: WorkerServices) => completeIfPaid(of, id)] as const),
    ]
    for (const [id, act] of steps) {
      if (isStopped()) return
      await lease.keep()
      try {
        await act(services)
      } catch (error) {
        // One that fails delays no other.
        if (isOutage(error)) throw error
        log.error({ order: id, name: nameOf(error) }, 'the payment of an order could not be evaluated')
      }
    }
  }
  return lookAtChain(services, chain, read, judge, isStopped, holder)
}

/** Where chains are watched. */
export function startChainWatcher(services: WorkerServices): Worker | undefined {
  const { config } = services
  const watched = config.chains.map((chain) => ({
    chain,
    read: readerOf(chain, config.chainUrls.get(chain.coin) ?? ''),
  }))
  if (watched.length === 0) return undefined
  return startEvery(services, {
    job: 'chains',
    every: Math.min(config.chainLookTime, 5 * SECOND),
    work: async (isStopped) => {
      const looks = watched.map(({ chain, read }) => lookAndJudge(services, chain, read, isStopped))
      const failed = (await Promise.allSettled(looks)).find((look) => look.status === 'rejected')
      if (failed) throw failed.reason
    },
    failed: 'scanning the chains failed',
  })
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
