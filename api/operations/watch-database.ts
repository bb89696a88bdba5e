import { setTimeout } from 'node:timers/promises'
import { SECOND } from '#contract/durations.ts'

/** A connection that is lost and back within this time is nothing that readers are told of. */
const patience = 2 * SECOND

type Changes = { onListening(listener: (isListening: boolean) => void): void }
export type DatabaseWatch = {
  /** Whether it has not answered for some seconds. */
  isAway(): boolean
  /** When it was first asked in vain, of `performance.now()`, while it is away. */
  awaySince(): number | undefined
  /** Whether changes of other instances are heard of now. */
  isHeard(): boolean
  close(): void
}

/** Whether the database answers: asked only while its changes are not heard of, which is noticed at once. */
export function watchDatabase(
  changes: Changes,
  ping: () => Promise<unknown>,
  every = patience,
): DatabaseWatch {
  let isHeard = false
  let awaySince: number | undefined
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const asked = performance.now()
    const answers = await Promise.race([
      ping().then(
        () => true,
        () => false,
      ),
      // One that stands still answers nothing at all.
      setTimeout(every, false, { ref: false }),
    ])
    awaySince = answers || isHeard ? undefined : (awaySince ?? asked)
  }

  changes.onListening((next) => {
    isHeard = next
    clearInterval(timer)
    if (next) awaySince = undefined
    else timer = setInterval(() => void look(), every).unref()
  })
  return {
    isAway: () => awaySince !== undefined,
    awaySince: () => awaySince,
    isHeard: () => isHeard,
    close() {
      clearInterval(timer)
    },
  }
}
