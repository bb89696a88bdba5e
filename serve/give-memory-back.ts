import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SECOND } from '#contract/durations.ts'

/**
 * Once what the start takes is done. V8 makes 100 MB of room for young objects while modules are read and pages rendered, and
 * gives them back only when it collects everything while few are made: the second time.
 */
export async function giveMemoryBack(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let turn = 0; turn < 2; turn += 1) {
    await setTimeout(SECOND, undefined, { ref: false })
    collect()
  }
}
