import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { categoryNames } from '#contract/publishing/announcements.ts'
import { SECOND } from '#contract/platform/durations.ts'
import {
  discardAutosave,
  getAutosave,
  getNewsroomPost,
  listAutosaves,
  saveAutosave,
} from '#contract/publishing/newsroom.ts'
import { call, type Call, CallFailed, callUnseen } from '../../kernel/call/call.ts'
import { currentSession, useSession } from '../../kernel/session/session.ts'
import { isPermissionLost } from '../permission-lost.ts'
import { presentationOf, textOf, type Autosave, type Place, type PostText } from './autosave.ts'
import { begin, copiesInTab, type Base, type Event } from './autosave.reducer.ts'
import { createAutosaver, type Perform } from './autosaver.ts'
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

/** Performs the side effects of one form's autosave for this member. None of them prompts for a sign-in. */
export const performAs =
  (memberId: string, place: Place, fill: (text: PostText) => void): Perform =>
  (effect) => {
    if (effect.do === 'fill') return fill(effect.text)
    if (effect.do === 'check') return readStored(place)
    // Text that is still queued in a page must not be stored for the next member who signs in.
    const isTypist = currentSession().member?.id === memberId
    if (effect.do === 'drop')
      return isTypist
        ? callUnseen(discardAutosave, { params: { id: effect.id } }).then(() => undefined)
        : undefined
    const { autosave } = effect
    if (!isTypist) return Promise.resolve({ type: 'notSent', autosave, why: 'signedOut' })
    // The server keeps one autosave per post and member.
    if (effect.do === 'setAside')
      return send(autosave, place.postId ? { postId: null, translationOf: null } : place).then(
        () => undefined,
      )
    return send(autosave, place, effect.isLast).then(
      ({ savedAt: storedAt }): Event => ({ type: 'sent', autosave, storedAt }),
      (failure: unknown): Event => ({ type: 'notSent', autosave, why: explain(failure) }),
    )
  }

function send({ savedAt: _savedAt, ...autosave }: Autosave, place: Place, isLast = false) {
  const category = categoryNames.find((name) => name === autosave.category) ?? ''
  return callUnseen(saveAutosave, { body: { ...autosave, ...place, category } }, { isLast })
}

function explain(failure: unknown) {
  if (isPermissionLost(failure)) return 'signedOut'
  return failure instanceof CallFailed && [400, 404, 413].includes(failure.status) ? 'refused' : 'unreached'
}

async function readStored({ postId }: Place, ask: Call = callUnseen): Promise<Event | void> {
  if (postId) return { type: 'stored', post: await ask(getNewsroomPost, { params: { id: postId } }) }
}

async function readAutosave(id: string, ask: Call): Promise<Autosave> {
  const stored = await ask(getAutosave, { params: { id } })
  const { basedOn, savedAt } = stored
  return { id, ...textOf(stored), ...presentationOf(stored), basedOn, savedAt }
}

/**
 * Returns the autosaves of this form from any browser, newest first, and the one to resume: the one chosen before the
 * form opened, otherwise the server's autosave of this post.
 */
async function findAutosaves(
  place: Place,
  chosen: string | undefined,
  ownId: () => string | undefined,
): Promise<Event> {
  const all = (await callUnseen(listAutosaves, {})).filter(({ id }) => id !== ownId())
  const here = all.filter(
    (each) => each.postId === place.postId && each.translationOf === place.translationOf,
  )
  const wanted = all.find(({ id }) => id === chosen) ?? (place.postId ? here[0] : undefined)
  return {
    type: 'found',
    others: here.map(({ id, title, savedAt }) => ({ id, title, savedAt })),
    wanted: wanted ? await readAutosave(wanted.id, callUnseen) : null,
    isChosen: wanted !== undefined && wanted.id === chosen,
  }
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
