import type { SignedIn } from '#contract/sessions.ts'
import { callAs } from '../call/caller.ts'
import { createStore, useStore } from '../state/create-store.ts'
import { readCookie, readItem, writeItem } from '../state/browser-storage.ts'
import { spokenLanguage } from '../i18n/spoken-now.ts'
import { keepDraftsOf } from '../state/draft-store.ts'

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
const leftAtKey = '_leftAt'
let signedInAt = 0
let restoring: Promise<Session> | undefined

const endListeners = new Set<() => void>()

function become(next: Session): Session {
  // Who sits here next must not find what was typed.
  keepDraftsOf(next.member?.id ?? null)
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

/** Told when a session ends that the member did not end here: they left in another tab, or would not sign in again. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

type AskAgain = (ended: Member) => Promise<unknown>
let askAgain: AskAgain | undefined

/** How a member whose session has ended is asked, in place, to sign in again. Resolved once they have, or would not. */
export function askAgainWith(ask: AskAgain): void {
  askAgain = ask
}

/** The readable cookie comes and goes with the session's own, which no script can see. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/**
 * Asks the server for the session that the browser's cookies carry; without one nothing is asked. Where no answer
 * comes the session stays as it is and the failure is thrown. Who was signed in here and is not any more is asked to
 * sign in again: until then they count as signed in, because what they typed must not go with the page.
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
  if (before.state !== 'signedIn' || !askAgain) return become(signedOut)
  await askAgain(before.member)
  const after = store.get()
  return after === before ? signedOut : after
}

async function askServer(): Promise<SignedIn | null> {
  if (!mayHaveSession()) return null
  // A page that is only read needs neither the client of the API nor the contract: they come when they are used.
  const [{ call, isSessionRefused }, endpoints] = await Promise.all([
    import('../call/call.ts'),
    import('#contract/sessions.ts'),
  ])
  return call(endpoints.restoreSession, { body: {} }).catch((failure: unknown) => {
    if (isSessionRefused(failure)) return null
    throw failure
  })
}

/** A member who would have to sign in again is not asked for work that they do not see, and stays as they are. */
async function renewToken({ isUnseen }: { isUnseen: boolean }): Promise<string | null> {
  if (!isUnseen || store.get().state !== 'signedIn') return (await restoreSession()).member?.token ?? null
  const answer = await askServer()
  if (answer) beginSession(answer)
  return answer?.token ?? null
}

callAs({ token: () => store.get().member?.token, renewToken })

/** The session, asked for where it is not known yet or where another tab has signed in. */
export function settledSession(): Promise<Session> {
  const session = store.get()
  const isOutOfDate = session.state === 'unknown' || (session.state === 'signedOut' && mayHaveSession())
  return isOutOfDate ? restoreSession() : Promise.resolve(session)
}

/** Follows a sign-out in another tab. Cookies that merely ran out end nothing: the next call asks. */
export function followOtherTabs(): void {
  const leftAt = Number(readItem('localStorage', leftAtKey))
  if (store.get().state === 'signedIn' && leftAt > signedInAt && !mayHaveSession()) giveUp()
}

/** Ends the session of who was asked to sign in again and would not. */
export function giveUp(): void {
  become(signedOut)
  for (const listener of endListeners) listener()
}

/** Clears what the browser knows of the session, which the server has ended; the other tabs follow. */
export function forgetSession(): void {
  writeItem('sessionStorage', '_afterLoginUrl', null)
  writeItem('sessionStorage', '_needId', null)
  writeItem('localStorage', leftAtKey, String(Date.now()))
  become(signedOut)
}

/** What a page has learnt about the member, such as a new display name after a save. */
export function updateMember(changes: Partial<Member>): void {
  const session = store.get()
  if (session.state === 'signedIn') become({ ...session, member: { ...session.member, ...changes } })
}
