import { setTimeout } from 'node:timers/promises'
import { SECOND } from '#contract/platform/durations.ts'

/** A connection that is back within this time is not reported to readers. In milliseconds. */
const patience = 2 * SECOND

type Changes = { onListening(listener: (isListening: boolean) => void): void }
type DatabaseWatch = {
  /** Whether it has not answered for some seconds. */
  isAway(): boolean
  /** When it first failed to answer, by `performance.now()`, while it is away. */
  awaySince(): number | undefined
  /** Whether change notifications of other instances work. */
  isHeard(): boolean
  close(): void
}

/**
 * Tracks whether the database answers. It is only queried while change notifications fail, which is noticed at
 * once.
 */
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
      // A stalled database does not answer at all.
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
