import { useEffect, useState } from 'react'
import { SECOND } from '#contract/platform/durations.ts'

/** Pause between two polls. */
const pause = 2 * SECOND

/**
 * Polls while something is in progress, up to `max` times. `seen` is the result of the previous poll, and the next poll
 * waits for it. A new value of `resetKey` resets the count.
 */
export function usePolling({
  isUnderWay,
  seen,
  poll,
  max,
  resetKey,
}: {
  isUnderWay: boolean
  seen: unknown
  poll: (() => void) | undefined
  max: number
  resetKey: number
}): number {
  const [polls, setPolls] = useState({ resetKey, count: 0 })
  const count = polls.resetKey === resetKey ? polls.count : 0
  useEffect(() => {
    if (!isUnderWay || !poll || count >= max) return undefined
    const timer = setTimeout(() => {
      setPolls({ resetKey, count: count + 1 })
      poll()
    }, pause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each poll waits for the response to the previous one
  }, [isUnderWay, seen, resetKey])
  return count
}
