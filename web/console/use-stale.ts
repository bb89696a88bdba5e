import { useState } from 'react'
import { Stale, whenStale } from './when-stale.ts'

/**
 * For actions on a record as it was read: if someone else was faster, nothing is changed, and both states can
 * be shown.
 */
export function useStale<Thing>(thing: Thing, load: () => Promise<Thing>, onNow: (now: Thing) => void) {
  const [seen, setSeen] = useState<Thing>()
  return {
    /** The state on which the unsuccessful action was based. */
    seen,
    attempt: <Done>(work: Promise<Done>): Promise<Done> => whenStale(work, load),
    /** Returns true if this was the failure. */
    onFailure(failure: unknown): boolean {
      if (!(failure instanceof Stale)) return false
      setSeen(seen ?? thing)
      onNow(failure.now as Thing)
      return true
    },
    forget: () => setSeen(undefined),
  }
}
