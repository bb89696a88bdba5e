import { useEffect, useState } from 'react'
import { SECOND } from '#contract/platform/durations.ts'

/** Counts seconds down to 0, for requests that can be repeated only after a while. */
export function useCountdown(): { seconds: number; start: (seconds: number) => void } {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return undefined
    const timer = setTimeout(() => setSeconds(seconds - 1), SECOND)
    return () => clearTimeout(timer)
  }, [seconds])
  return { seconds, start: setSeconds }
}
