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
  /** Prolongs it, if that is a while ago: before what may be slow. */
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
      const watch = await holdWatch(db, chain.coin, holder, leaseTime)
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
