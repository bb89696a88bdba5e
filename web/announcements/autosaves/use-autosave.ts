import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { SECOND } from '#contract/durations.ts'
import { call } from '../../call/call.ts'
import { useSession } from '../../session/session.ts'
import type { Place, PostText } from './autosave.ts'
import { findAutosaves, performAs, readAutosave, readStored } from './autosave-calls.ts'
import { begin, copiesInTab, type Base, type Event } from './autosave.reducer.ts'
import { createAutosaver } from './autosaver.ts'
import { tabCopy } from './tab-copy.ts'

/** Saving waits at most this long for an autosave in flight, in milliseconds. */
const patience = 3 * SECOND

type Options = {
  place: Place
  base: Base
  /** The autosave that was chosen before the form opened. */
  chosen: string | undefined
  /** Puts another text into the form. */
  fill: (text: PostText) => void
}

/** Autosaves one post form: immediately in this tab, shortly after on the server. */
export function useAutosave({ place, base, chosen, fill }: Options) {
  const { member } = useSession()
  const latestFill = useRef(fill)
  useEffect(() => {
    latestFill.current = fill
  })
  const [saver] = useState(() => open(place, base, member?.id ?? '', (text) => latestFill.current(text)))
  const { read, dispatch } = saver
  const state = useSyncExternalStore(saver.subscribe, read, read)

  const token = member?.token
  useEffect(() => {
    if (token) dispatch({ type: 'flush', isLast: false })
  }, [dispatch, token])
  useEffect(() => {
    let isCurrent = true
    const events: Promise<Event | void>[] = [findAutosaves(place, chosen, () => read().mine?.autosave.id)]
    // The page itself may be outdated, so the server is asked.
    if (read().mine) events.push(readStored(place))
    // If the server is unreachable, its autosaves are offered next time.
    for (const event of events)
      void event.then((found) => isCurrent && found && dispatch(found)).catch(() => null)
    const flush = () => dispatch({ type: 'flush', isLast: false })
    const close = () => dispatch({ type: 'flush', isLast: true })
    const hide = () => document.visibilityState === 'hidden' && close()
    addEventListener('pagehide', close)
    addEventListener('online', flush)
    document.addEventListener('visibilitychange', hide)
    return () => {
      isCurrent = false
      removeEventListener('pagehide', close)
      removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', hide)
      flush()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- a form edits the same post while it is open
  }, [])

  return {
    state,
    read,
    dispatch,
    /** Before the post is saved: stops autosaving and waits for requests in flight. */
    beginSaving: async () => {
      dispatch({ type: 'saving' })
      await Promise.race([saver.settled(), new Promise((resolve) => setTimeout(resolve, patience))])
    },
    /** Whether the stored post has changed since the text was based on it. */
    isInConflict: async () => {
      const event = await readStored(place, call)
      if (event) dispatch(event)
      return read().kind === 'conflict'
    },
    continueWith: async (id: string) => {
      const offered = read().others.find((other) => other.id === id)
      const isHere = offered && 'content' in offered
      dispatch({ type: 'continue', autosave: isHere ? offered : await readAutosave(id, call) })
    },
  }
}

function open(place: Place, base: Base, memberId: string, fill: Options['fill']) {
  const tab = { mine: tabCopy(place, memberId), aside: tabCopy(place, memberId, 'aside') }
  const kept = { mine: tab.mine.read(), aside: tab.aside.read() }
  const saver = createAutosaver(begin(place, base, kept, Date.now()), performAs(memberId, place, fill))
  saver.subscribe((before) => {
    const [last, next] = [copiesInTab(before), copiesInTab(saver.read())]
    for (const slot of ['mine', 'aside'] as const) if (next[slot] !== last[slot]) tab[slot].write(next[slot])
  })
  return saver
}
