import { SECOND } from '#contract/platform/durations.ts'
import type { NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { isSameDraft, textOf, type Autosave, type Place, type PostDraft, type PostText } from './autosave.ts'

export const restAfterTyping = 1.5 * SECOND
/** Maximum delay of the autosave during continuous typing, in milliseconds. */
export const waitMax = 10 * SECOND
export const retryAfter = [3 * SECOND, 6 * SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND] as const

/** Why an autosave failed: no response, no session, or a text that the server will never accept. */
export type NotSent = 'unreached' | 'signedOut' | 'refused'

/** What the form starts from: the stored post, as far as this page knows. */
export type Base = { draft: PostDraft; lastEdited: string | null }

/** Another autosave for the same form. Its content is loaded when it is chosen, unless this page already has it. */
export type Offered = Autosave | Pick<Autosave, 'id' | 'title' | 'savedAt'>

/** What has been typed and how far it was saved. Equal texts are the same object: they are compared by identity. */
export type Typed = {
  autosave: Autosave
  /** The last text that the server stored or finally rejected. There is nothing to send until the next change. */
  lastAcknowledged: Autosave | null
  underWay: Autosave | null
  unsentSince: number | null
  /** When it is sent next, unless an event triggers this earlier. */
  dueAt: number | null
  storedAt: string | null
  failure: { why: NotSent; times: number } | null
  /** If the text was restored, when it was typed. */
  restoredFrom: string | null
}

/** No autosave is sent while the post itself is being saved; a closed form holds no text. */
type Form = { place: Place; base: Base; others: readonly Offered[]; phase: 'open' | 'saving' | 'closed' }

export type State = Form &
  (
    | { kind: 'clean'; mine: null }
    | { kind: 'dirty'; mine: Typed }
    /** The stored post has changed since the text was based on it. `mine` is null if nothing has been typed yet. */
    | { kind: 'conflict'; mine: Typed | null; theirs: NewsroomPostWhole; isShown: boolean }
  )

export type Event =
  | { type: 'typed'; draft: PostDraft }
  /**
   * Triggered by the timer, a blur, or a reconnection. `isLast` is set if the page may close before the response
   * arrives.
   */
  | { type: 'flush'; isLast: boolean }
  | { type: 'sent'; autosave: Autosave; storedAt: string }
  | { type: 'notSent'; autosave: Autosave; why: NotSent }
  /**
   * The server has other autosaves for this form. `wanted` is the one to resume, chosen by the editor or automatically.
   */
  | { type: 'found'; others: readonly Offered[]; wanted: Autosave | null; isChosen: boolean }
  | { type: 'continue'; autosave: Autosave }
  | { type: 'discard' }
  | { type: 'discardOther'; id: string }
  /** The currently stored post. */
  | { type: 'stored'; post: NewsroomPostWhole }
  | { type: 'keepMine' }
  | { type: 'useTheirs' }
  | { type: 'showConflict'; isShown: boolean }
  | { type: 'saving' }
  | { type: 'saved'; draft: PostDraft; lastEdited: string | null }
  | { type: 'saveFailed' }
  | { type: 'close'; isCancelled: boolean }

export type Effect =
  | { do: 'send'; autosave: Autosave; isLast: boolean }
  /** Stores the text separately, because it is no longer the post's only autosave. */
  | { do: 'setAside'; autosave: Autosave }
  | { do: 'drop'; id: string }
  | { do: 'fill'; text: PostText }
  /** Requests the stored post. The event `stored` follows. */
  | { do: 'check' }

type Next = [State, ...Effect[]]
/** Values that a pure reducer cannot create itself. */
type Inputs = { now: number; newId: string }
type Handler<E extends Event> = (state: State, event: E, inputs: Inputs) => Next

export function begin(
  place: Place,
  base: Base,
  tab: Record<'mine' | 'aside', Autosave | null>,
  now: number,
): State {
  const form: Form = { place, base, others: tab.aside ? [tab.aside] : [], phase: 'open' }
  return tab.mine ? goOnWith(form, tab.mine, now) : clean(form)
}

export function reduce(state: State, event: Event, inputs: Inputs): Next {
  if (state.phase === 'closed') return [state]
  // TypeScript cannot infer that the entry matches the event.
  return (on[event.type] as Handler<Event>)(state, event, inputs)
}

const on: { [Type in Event['type']]: Handler<Extract<Event, { type: Type }>> } = {
  typed: (state, { draft }, { now, newId }) => {
    const { id, basedOn, ...before } = state.mine?.autosave ?? beginning(state.base, newId, now)
    if (isSameDraft(draft, before)) return [state]
    return [typedInto(state, { ...draft, id, basedOn, savedAt: isoTime(now) }, now)]
  },
  flush: (state, { isLast }) => {
    if (!state.mine || state.phase !== 'open') return [state]
    const { autosave, lastAcknowledged, underWay } = state.mine
    const mine = { ...state.mine, dueAt: null }
    // A request in flight may be aborted with the page, so the text is sent again.
    if (autosave === lastAcknowledged || (underWay && !isLast)) return [withMine(state, mine)]
    const sending = { ...mine, underWay: autosave, unsentSince: null }
    return [withMine(state, sending), { do: 'send', autosave, isLast }]
  },
  sent: (state, { autosave, storedAt }, { now }) =>
    answered(state, autosave, now, (mine) => ({
      ...mine,
      lastAcknowledged: autosave,
      storedAt,
      failure: null,
    })),
  notSent: (state, { autosave, why }, { now }) =>
    answered(state, autosave, now, (mine) => {
      // The text was sent twice and arrived once.
      if (mine.lastAcknowledged === autosave) return mine
      const failure = { why, times: (mine.failure?.times ?? 0) + 1 }
      return { ...mine, failure, lastAcknowledged: why === 'refused' ? autosave : mine.lastAcknowledged }
    }),
  found: (before, { others, wanted, isChosen }, { now }) => {
    const state = before.place.postId ? before : { ...before, others }
    if (!wanted || wanted.id === state.mine?.autosave.id) return [state]
    return isChosen || !state.mine ? changeTo(state, wanted, now) : setAside(state, wanted)
  },
  continue: (state, { autosave }, { now }) => changeTo(state, autosave, now),
  discard: (state) => {
    const base = state.kind === 'conflict' ? baseOf(state.theirs) : state.base
    return [clean(state, base), ...dropped(state), { do: 'fill', text: textOf(base.draft) }]
  },
  discardOther: (state, { id }) => [
    { ...state, others: without(state.others, id) },
    { do: 'drop', id },
  ],
  stored: (state, { post }) =>
    post.lastEdited === basedOn(state)
      ? [state]
      : [{ ...formOf(state), kind: 'conflict', mine: state.mine, theirs: post, isShown: true }],
  showConflict: (state, { isShown }) => [state.kind === 'conflict' ? { ...state, isShown } : state],
  keepMine: (state, _, { now, newId }) => {
    if (state.kind !== 'conflict') return [state]
    const base = baseOf(state.theirs)
    const before = state.mine ?? { ...untouched, autosave: beginning(state.base, newId, now) }
    return [dirty(state, { ...before, autosave: { ...before.autosave, basedOn: base.lastEdited } }, base)]
  },
  useTheirs: (state) => {
    if (state.kind !== 'conflict') return [state]
    const base = baseOf(state.theirs)
    const [form, ...effects] = setCurrentAside(state)
    return [clean(form, base), ...effects, { do: 'fill', text: textOf(base.draft) }]
  },
  saving: (state) => [withMine({ ...state, phase: 'saving' }, state.mine && { ...state.mine, dueAt: null })],
  saved: (state, { draft, lastEdited }, { newId }) => {
    const base = { draft, lastEdited }
    if (!state.mine || isSameDraft(state.mine.autosave, draft)) return [clean(state, base)]
    // Saving the post ended its autosave, so text typed in the meantime starts a new one.
    const autosave = { ...state.mine.autosave, id: newId, basedOn: lastEdited }
    return [dirty(state, { ...untouched, autosave }, base)]
  },
  saveFailed: (before, _, { now }) => {
    const state: State = { ...before, phase: 'open' }
    const { mine } = state
    if (!mine || mine.underWay || mine.autosave === mine.lastAcknowledged) return [state]
    return [withMine(state, { ...mine, dueAt: now + restAfterTyping })]
  },
  close: (state, { isCancelled }) => [
    clean({ ...state, phase: 'closed' }),
    ...(isCancelled ? dropped(state) : []),
  ],
}

/** `lastEdited` of the stored post that the text is based on, which a save sends along. */
export const basedOn = ({ mine, base }: State): string | null =>
  mine ? mine.autosave.basedOn : base.lastEdited

export type Status =
  | { state: 'nothing' }
  | { state: 'waiting'; storedAt: string | null }
  | { state: 'stored'; storedAt: string }
  | { state: 'hereOnly'; why: NotSent }

/** What the form contains. */
export const draftIn = ({ mine, base }: State): PostDraft => mine?.autosave ?? base.draft

/** Whether the text has reached the server, and if not, why. */
export function statusOf({ mine }: State): Status {
  if (!mine) return { state: 'nothing' }
  const { autosave, lastAcknowledged, storedAt, failure } = mine
  if (failure) return { state: 'hereOnly', why: failure.why }
  return storedAt && autosave === lastAcknowledged
    ? { state: 'stored', storedAt }
    : { state: 'waiting', storedAt }
}

/**
 * The copies that this tab stores. A text that was replaced by another one in the form no longer has an autosave on the
 * server.
 */
export const copiesInTab = ({ place, mine, others }: State): Record<'mine' | 'aside', Autosave | null> => ({
  mine: mine?.autosave ?? null,
  aside: (place.postId && others.find((other) => 'content' in other)) || null,
})

const untouched: Omit<Typed, 'autosave'> = {
  lastAcknowledged: null,
  underWay: null,
  unsentSince: null,
  dueAt: null,
  storedAt: null,
  failure: null,
  restoredFrom: null,
}

const formOf = ({ place, base, others, phase }: Form): Form => ({ place, base, others, phase })
const clean = (form: Form, base = form.base): State => ({ ...formOf(form), base, kind: 'clean', mine: null })
const dirty = (form: Form, mine: Typed, base = form.base): State => ({
  ...formOf(form),
  base,
  kind: 'dirty',
  mine,
})
const baseOf = (post: NewsroomPostWhole): Base => ({ draft: textOf(post), lastEdited: post.lastEdited })
const isoTime = (now: number): string => new Date(now).toISOString()
const beginning = ({ draft, lastEdited }: Base, id: string, now: number): Autosave => ({
  ...draft,
  id,
  basedOn: lastEdited,
  savedAt: isoTime(now),
})
const without = (others: readonly Offered[], id: string) => others.filter((other) => other.id !== id)
const dropped = ({ mine }: State): Effect[] => (mine ? [{ do: 'drop', id: mine.autosave.id }] : [])

/** A conflict remains, whatever happens to the text. */
function withMine(state: State, mine: Typed | null): State {
  if (!mine) return state
  return state.kind === 'conflict' ? { ...state, mine } : dirty(state, mine)
}

/** Shortly after the last change, and at most `waitMax` after the first one. */
const dueAfterKey = (now: number, unsentSince: number): number =>
  Math.max(now, Math.min(now + restAfterTyping, unsentSince + waitMax))

function typedInto(state: State, autosave: Autosave, now: number): State {
  const before: Omit<Typed, 'autosave'> = state.mine ?? untouched
  // A rejected text may be accepted once it is edited.
  const failure = before.failure?.why === 'refused' ? null : before.failure
  const unsentSince = before.unsentSince ?? now
  // While saving fails, retries follow their own schedule; typing does not bring them forward.
  const dueAt = failure && before.dueAt !== null ? before.dueAt : dueAfterKey(now, unsentSince)
  return withMine(state, {
    ...before,
    autosave,
    failure,
    unsentSince,
    dueAt: state.phase === 'open' ? dueAt : null,
  })
}

function answered(state: State, autosave: Autosave, now: number, learn: (mine: Typed) => Typed): Next {
  // The event may belong to a text that has been replaced in the form in the meantime.
  if (state.mine?.autosave.id !== autosave.id) return [state]
  const mine = learn(state.mine)
  const underWay = mine.underWay === autosave ? null : mine.underWay
  const isWaiting = underWay !== null || state.phase !== 'open' || mine.autosave === mine.lastAcknowledged
  const retry =
    mine.lastAcknowledged !== autosave &&
    retryAfter[Math.min(mine.failure?.times ?? 0, retryAfter.length) - 1]
  const dueAt = retry ? now + retry : dueAfterKey(now, mine.unsentSince ?? now)
  return [withMine(state, { ...mine, underWay, dueAt: isWaiting ? mine.dueAt : dueAt })]
}

/** Sent again, because the server may have an older version of it, or none. */
const goOnWith = (form: Form, found: Autosave, now: number): State => {
  const autosave = form.place.postId ? found : { ...found, basedOn: null }
  return dirty(form, { ...untouched, autosave, dueAt: now + restAfterTyping, restoredFrom: found.savedAt })
}

const setAside = (state: State, autosave: Autosave): Next => [
  { ...state, others: [autosave, ...without(state.others, autosave.id)] },
  { do: 'setAside', autosave },
]

/** A text that is replaced by another one in the form is still offered. */
const setCurrentAside = (state: State): Next => (state.mine ? setAside(state, state.mine.autosave) : [state])

function changeTo(state: State, autosave: Autosave, now: number): Next {
  const [{ others }, ...effects] = setCurrentAside(state)
  const next = goOnWith({ ...state, others: without(others, autosave.id) }, autosave, now)
  const check: Effect[] = state.place.postId ? [{ do: 'check' }] : []
  return [next, ...effects, { do: 'fill', text: textOf(autosave) }, ...check]
}
