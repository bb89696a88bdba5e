import { useEffect } from 'react'
import { showPlace } from './show-place.ts'

/** Leads to the place that the address names, once its field is there. */
export function useShownPlace(at: string | null, isThere = true): void {
  useEffect(() => {
    if (at !== null && isThere) showPlace(at)
  }, [at, isThere])
}
