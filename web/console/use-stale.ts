import { useState } from 'react'
import { Stale, whenStale } from './when-stale.ts'

/** For actions on something as it was read: where somebody was faster, nothing happens, and both states can be shown. */
export function useStale<Thing>(thing: Thing, load: () => Promise<Thing>, onNow: (now: Thing) => void) {
  const [seen, setSeen] = useState<Thing>()
  return {
    /** As it was when one of the staff acted on it who was not the first to do so. */
    seen,
    attempt: <Done>(work: Promise<Done>): Promise<Done> => whenStale(work, load),
    /** True where that was the failure. */
    onFailure(failure: unknown): boolean {
      if (!(failure instanceof Stale)) return false
      setSeen(seen ?? thing)
      onNow(failure.now as Thing)
      return true
    },
    forget: () => setSeen(undefined),
  }
}
