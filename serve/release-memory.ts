import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SECOND } from '#contract/durations.ts'

/**
 * Runs once after startup. V8 reserves 100 MB for young objects while modules load and pages are rendered, and releases
 * it only in the second full collection with few allocations in between.
 */
export async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let turn = 0; turn < 2; turn += 1) {
    await setTimeout(SECOND, undefined, { ref: false })
    collect()
  }
}
