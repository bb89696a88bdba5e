import { useEffect, useEffectEvent, useState } from 'react'
import type { Message } from '#contract/people/conversations.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { refreshWhileVisible } from '../kernel/actions/refresh-while-visible.ts'

/** Pause between two checks while the page is visible. */
const pause = 15 * SECOND

type Shown = { updatedAt: string; messages: readonly Pick<Message, 'id'>[] }

type Source<Conversation> = {
  shown: Conversation | null
  /** Asks when the conversation last changed. This is cheap, and it isn't recorded as a view. */
  check: () => Promise<{ updatedAt: string | null }>
  /** Called only after a change. */
  read: () => Promise<Conversation | null>
  show: (conversation: Conversation) => unknown
}

/**
 * Shows changes of an open conversation without reloading the page. Returns whether messages have arrived in this way, and
 * a function that marks them as noticed.
 */
export function useChanges<Conversation extends Shown>(source: Source<Conversation>): [boolean, () => void] {
  const [hasArrived, setArrived] = useState(false)
  const show = useEffectEvent((read: Conversation) => {
    // The reader may have sent a message in the meantime, so that what is shown is newer.
    if (!isLater(read.updatedAt, source.shown)) return
    if (read.messages.at(-1)?.id !== source.shown?.messages.at(-1)?.id) setArrived(true)
    source.show(read)
  })
  const refresh = useEffectEvent(async () => {
    const { updatedAt } = await source.check()
    if (!isLater(updatedAt, source.shown)) return
    const read = await source.read()
    if (read) show(read)
  })
  useEffect(() => {
    let isChecking = false
    return refreshWhileVisible(() => {
      if (isChecking) return
      isChecking = true
      refresh()
        // The next check tries again.
        .catch(() => {})
        .finally(() => (isChecking = false))
    }, pause)
  }, [])
  return [hasArrived, () => setArrived(false)]
}

const isLater = (updatedAt: string | null, shown: Pick<Shown, 'updatedAt'> | null): boolean =>
  updatedAt !== null && (shown === null || updatedAt > shown.updatedAt)
