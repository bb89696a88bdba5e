import { useState } from 'react'
import { Stale, whenStale } from './when-stale.ts'

/**
 * For actions on a record: if someone else changed it since it was read, nothing is changed and both states can be
 * shown.
 */
export function useStale<Thing>(record: Thing, load: () => Promise<Thing>, onNow: (now: Thing) => void) {
  const [seen, setSeen] = useState<Thing>()
  return {
    /** The state that the unsuccessful action was based on. */
    seen,
    attempt: <Done>(work: Promise<Done>): Promise<Done> => whenStale(work, load),
    /** Returns whether the failure was an outdated state. */
    onFailure(failure: unknown): boolean {
      if (!(failure instanceof Stale)) return false
      setSeen(seen ?? record)
      onNow(failure.now as Thing)
      return true
    },
    forget: () => setSeen(undefined),
  }
}
