import { SECOND } from '#contract/platform/durations.ts'
import { transaction, type Database, type Tx } from '../../platform/db/database.ts'
import { instance } from '../../platform/jobs/instance.ts'
import type { ChainSetting } from '../../platform/config/read-chains.ts'
import { lockWatch } from './chain.queries.ts'

/** Duration of a lease in milliseconds, longer than the timeout of any node request. */
export const leaseTime = 40 * SECOND

type Watch = NonNullable<Awaited<ReturnType<typeof lockWatch>>>

/** Another instance has acquired the lease: this one was too slow and must not change anything. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * An instance's lease while it polls a chain. Each of its transactions locks the monitor row, so that no other instance
 * writes.
 */
export type Lease = {
  chain: ChainSetting
  isStopped: () => boolean
  hold<T>(work: (db: Tx, watch: Watch) => Promise<T>): Promise<T>
  /** Extends the lease if the last extension was a while ago. Call this before slow work. */
  keep(): Promise<void>
}

const keptFor = leaseTime / 8

export const leaseOf = (
  db: Database,
  chain: ChainSetting,
  isStopped: () => boolean,
  holder: string = instance.id,
): Lease => {
  let heldAt = performance.now()
  const hold: Lease['hold'] = async (work) => {
    const since = performance.now()
    const done = await transaction(db, async (db) => {
      const watch = await lockWatch(db, chain.coin, holder, leaseTime)
      if (!watch) throw new LeaseLost()
      return work(db, watch)
    })
    heldAt = since
    return done
  }
  return {
    chain,
    isStopped,
    hold,
    async keep() {
      if (performance.now() - heldAt > keptFor) await hold(async () => {})
    },
  }
}
