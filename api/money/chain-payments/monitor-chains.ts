import { SECOND } from '#contract/platform/durations.ts'
import { pollChain, readerOf, type Poller, type ReadChain } from '../chains/poll-chain.ts'
import type { Lease } from '../chains/lease.ts'
import type { Looked } from '../chains/scan-blocks.ts'
import { payMethodsOf } from '../chains/monitored-targets.ts'
import { isOutage } from '../../platform/db/database.ts'
import { startEvery } from '../../platform/jobs/start-every.ts'
import type { Worker } from '../../platform/module.ts'
import type { ChainSetting } from '../../platform/config/read-chains.ts'
import type { Services } from '../../platform/services.ts'
import { listToEvaluate } from '../chains/chain-payment.queries.ts'
import { completeIfPaid } from './complete-paid.ts'
import { evaluateOrder } from './evaluate-order.ts'

const ordersPerLook = 200
/** Number of blocks after becoming final during which a payment is evaluated again at each poll. */
const evaluatedAfter = 10

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log' | 'maintenance'>

/** Polls each chain and evaluates the orders concerned. For each chain, only one instance does so at a time. */
export async function pollAndEvaluate(
  services: WorkerServices,
  chain: ChainSetting,
  read: ReadChain,
  poller: Poller = {},
) {
  const act = async ({ tipHeight, listUnknown }: Looked, lease: Lease) => {
    const { db, log } = services
    const ids = await listToEvaluate(db, chain.coin, {
      payMethods: await payMethodsOf(db, chain),
      finalHeight: tipHeight - chain.confirmations - evaluatedAfter,
      limit: ordersPerLook,
    })
    // All orders are evaluated before any is completed, so that a payment shared by two is known by then.
    const steps = [
      ...ids.map(
        (id) => [id, (of: WorkerServices) => evaluateOrder(of, id, chain.coin, listUnknown)] as const,
      ),
      ...ids.map((id) => [id, (of: WorkerServices) => completeIfPaid(of, id)] as const),
    ]
    for (const [id, step] of steps) {
      if (poller.isStopped?.()) return
      await lease.keep()
      try {
        await step(services)
      } catch (error) {
        // An order that fails does not delay the others.
        if (isOutage(error)) throw error
        log.error({ order: id, name: nameOf(error) }, 'an order payment could not be evaluated')
      }
    }
  }
  return pollChain(services, chain, { read, act }, poller)
}

/** Starts the chain monitor if any chain is configured. */
export function startChainMonitor(services: WorkerServices): Worker | undefined {
  const { config } = services
  const watched = config.chains.map((chain) => ({
    chain,
    read: readerOf(chain, config.chainUrls.get(chain.coin) ?? ''),
  }))
  if (watched.length === 0) return undefined
  return startEvery(services, {
    job: 'chains',
    every: Math.min(config.chainPollInterval, 5 * SECOND),
    work: async (isStopped) => {
      const looks = watched.map(({ chain, read }) => pollAndEvaluate(services, chain, read, { isStopped }))
      const failed = (await Promise.allSettled(looks)).find((look) => look.status === 'rejected')
      if (failed) throw failed.reason
    },
    failed: 'scanning the chains failed',
  })
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
