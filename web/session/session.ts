import type { SignedIn } from '#contract/sessions.ts'
import { callAs } from '../call/caller.ts'
import { createStore, useStore, type Store } from '../state/create-store.ts'
import { readCookie, readItem, writeItem } from '../state/browser-storage.ts'
import { spokenLanguage } from '../i18n/spoken-now.ts'
import { keepDraftsForReturn, keepDraftsOf } from '../state/draft-store.ts'

/** Spanish and French exist in sessions of other clients only; no text is in them. */
type SessionLanguage = 'EN' | 'CN' | 'SP' | 'FR'

export type Member = SignedIn & { language: SessionLanguage; hasMerchant: boolean }

export type Session =
  | { state: 'unknown'; member: null }
  | { state: 'signedOut'; member: null }
  | { state: 'signedIn'; member: Member }

const unknown: Session = { state: 'unknown', member: null }
const signedOut: Session = { state: 'signedOut', member: null }

const store = createStore<Session>(unknown)
/** When somebody last signed out in this browser, for its other tabs. */
const signedOutAtKey = '_leftAt'
const signedOutAt = (): number => Number(readItem('localStorage', signedOutAtKey))
let signedInAt = 0
let restoring: Promise<Session> | undefined

/** Counts the sessions that ended so: a page that is open to everyone starts anew then, without what was typed into it. */
export const departures: Store<number> = createStore(0)

const endListeners = new Set<() => void>()

function become(next: Session): Session {
  const before = store.get().member?.id
  if (before && next.member && next.member.id !== before) startAnew()
  // The next person at this computer must not find what was typed.
  keepDraftsOf(next.member?.id ?? null, signedOutAt())
  return show(next)
}

function expire(): Session {
  keepDraftsForReturn(signedOutAt())
  return show(signedOut)
}

function show(next: Session): Session {
  delete document.documentElement.dataset['session']
  store.set(next)
  return next
}

/** Every way to sign in ends here. */
export function beginSession(answer: SignedIn): Session {
  signedInAt = Date.now()
  return become({
    state: 'signedIn',
    member: {
      ...answer,
      language: spokenLanguage() === 'cn' ? 'CN' : 'EN',
      hasMerchant: answer.defaultMerchant !== null,
    },
  })
}

export const currentSession: () => Session = store.get

/** On the server, and until the browser has asked, the session is `unknown`. */
export const useSession = (): Session => useStore(store)

/** Notified when a session ends other than by signing out here: in another tab, or by declining to sign in again. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

type AskAgain = (ended: Member) => Promise<unknown>
let askAgain: AskAgain | undefined

/** Sets how a member whose session has ended is asked, in place, to sign in again. Resolves once they did or declined. */
export function askAgainWith(ask: AskAgain): void {
  askAgain = ask
}

/** The readable cookie is set and cleared together with the session's HttpOnly one. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/**
 * Asks the server for the session that the browser's cookies carry; without cookies nothing is requested. If no answer
 * comes, the session stays as it is and the failure is thrown. A member whose session ended while they were signed in
 * here is asked to sign in again; until then they count as signed in, so that the page with what they typed stays.
 */
export function restoreSession(): Promise<Session> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

async function restore(): Promise<Session> {
  const answer = await askServer().finally(() => delete document.documentElement.dataset['session'])
  if (answer) return beginSession(answer)
  const before = store.get()
  if (before.state !== 'signedIn' || !askAgain) return expire()
  await askAgain(before.member)
  const after = store.get()
  return after === before ? signedOut : after
}

async function askServer(): Promise<SignedIn | null> {
  if (!mayHaveSession()) return null
  // A visitor who only reads needs neither the API client nor the contract: they are loaded on first use.
  const [{ call, isSessionRefused }, endpoints] = await Promise.all([
    import('../call/call.ts'),
    import('#contract/sessions.ts'),
  ])
  return call(endpoints.restoreSession, { body: {} }).catch((failure: unknown) => {
    if (isSessionRefused(failure)) return null
    throw failure
  })
}

/** Background work never asks a member to sign in again: it fails, and the member stays signed in as before. */
async function renewToken({ isUnseen }: { isUnseen: boolean }): Promise<string | null> {
  if (!isUnseen || store.get().state !== 'signedIn') return (await restoreSession()).member?.token ?? null
  const answer = await askServer()
  if (answer) beginSession(answer)
  return answer?.token ?? null
}

callAs({ token: () => store.get().member?.token, renewToken })

/** The session; requested first if it is not known yet or if another tab has signed in. */
export function settledSession(): Promise<Session> {
  const session = store.get()
  const isOutOfDate = session.state === 'unknown' || (session.state === 'signedOut' && mayHaveSession())
  return isOutOfDate ? restoreSession() : Promise.resolve(session)
}

/** Follows a sign-out in another tab. Cookies that merely expired end nothing: the next call asks to sign in again. */
export function followOtherTabs(): void {
  const { state } = store.get()
  if (state === 'signedIn' && signedOutAt() > signedInAt) giveUp()
  // What waits in this tab for the return of a member who has signed out in another.
  if (state === 'signedOut') keepDraftsForReturn(signedOutAt())
}

/** Ends the session of a member who was asked to sign in again and declined. */
export function giveUp(): void {
  become(signedOut)
  startAnew()
  for (const listener of endListeners) listener()
}

/** A page that is open to everyone starts anew, without what was typed into it. */
const startAnew = () => departures.set(departures.get() + 1)

/** After signing out here, also where the way home is barred by a lost connection. */
export function signedOutHere(): void {
  forgetSession()
  startAnew()
}

/** Clears what the browser knows of the session after the server has ended it; other tabs follow. */
export function forgetSession(): void {
  writeItem('sessionStorage', '_afterLoginUrl', null)
  writeItem('sessionStorage', '_needId', null)
  writeItem('localStorage', signedOutAtKey, String(Date.now()))
  become(signedOut)
}

/** Applies what a page has learnt about the member, such as a new display name after a save. */
export function updateMember(changes: Partial<Member>): void {
  const session = store.get()
  if (session.state === 'signedIn') become({ ...session, member: { ...session.member, ...changes } })
}
