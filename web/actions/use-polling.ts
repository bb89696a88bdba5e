import { useEffect, useState } from 'react'
import { SECOND } from '#contract/durations.ts'

/** Pause between two polls. */
const pause = 2 * SECOND

/**
 * Polls while something is in progress, up to `max` times. `seen` is the result of the previous poll, and the next poll
 * waits for it. A new value of `asked` resets the count.
 */
export function useLooks({
  isUnderWay,
  seen,
  look,
  max,
  asked,
}: {
  isUnderWay: boolean
  seen: unknown
  look: (() => void) | undefined
  max: number
  asked: number
}): number {
  const [looks, setLooks] = useState({ asked, count: 0 })
  const count = looks.asked === asked ? looks.count : 0
  useEffect(() => {
    if (!isUnderWay || !look || count >= max) return undefined
    const timer = setTimeout(() => {
      setLooks({ asked, count: count + 1 })
      look()
    }, pause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each poll waits for the response to the previous one
  }, [isUnderWay, seen, asked])
  return count
}
