import { SECOND } from '#contract/durations.ts'
import { transaction, type Database, type Tx } from '../db/database.ts'
import { instance } from '../jobs/instance.ts'
import type { ChainSetting } from '../read-chains.ts'
import { holdWatch } from './chain.queries.ts'

/** Longer than any answer of a node is waited for. */
export const leaseTime = 40 * SECOND

export type Watch = NonNullable<Awaited<ReturnType<typeof holdWatch>>>

/** Another instance looks now: whoever was so slow stops, and changes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** What one instance has while it looks at a chain. Each of its transactions holds the watch, so that no other writes. */
export type Lease = {
  chain: ChainSetting
  isStopped: () => boolean
  hold<T>(work: (db: Tx, watch: Watch) => Promise<T>): Promise<T>
}

export const leaseOf = (
  db: Database,
  chain: ChainSetting,
  isStopped: () => boolean,
  holder: string = instance.id,
): Lease => ({
  chain,
  isStopped,
  hold: (work) =>
    transaction(db, async (db) => {
      const watch = await holdWatch(db, chain.coin, holder, leaseTime)
      if (!watch) throw new LeaseLost()
      return work(db, watch)
    }),
})
