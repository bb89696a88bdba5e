import { useEffect, useState } from 'react'
import { SECOND } from '#contract/durations.ts'

/** What is under way is looked at again so soon. */
const pause = 2 * SECOND

/**
 * Looks again and again while something is under way, `max` times at most. `seen` is what the look before has shown: the next one waits for
 * it. Another `asked` begins to count anew.
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each look waits for the answer of the one before
  }, [isUnderWay, seen, asked])
  return count
}
