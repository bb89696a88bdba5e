import type { SignedIn } from '#contract/sessions.ts'
import { readItem, writeItem } from '../state/browser-storage.ts'
import { spokenLanguage } from '../i18n/spoken-now.ts'
import { keepDraftsForReturn, keepDraftsOf } from '../state/draft-store.ts'
import {
  currentSession,
  departures,
  mayHaveSession,
  sessionHooks,
  showSession,
  signedOut,
  type Member,
  type Session,
} from './session.ts'

/** When somebody last signed out in this browser, for its other tabs. */
const signedOutAtKey = '_leftAt'
const signedOutAt = (): number => Number(readItem('localStorage', signedOutAtKey))
let signedInAt = 0
let restoring: Promise<Session> | undefined

function become(next: Session): Session {
  const before = currentSession().member?.id
  if (before && next.member && next.member.id !== before) startAnew()
  // The next person at this computer must not find what was typed.
  keepDraftsOf(next.member?.id ?? null, signedOutAt())
  return showSession(next)
}

function expire(): Session {
  keepDraftsForReturn(signedOutAt())
  return showSession(signedOut)
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
  const before = currentSession()
  if (before.state !== 'signedIn' || !sessionHooks.askAgain) return expire()
  await sessionHooks.askAgain(before.member)
  const after = currentSession()
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
export async function renewToken({ isUnseen }: { isUnseen: boolean }): Promise<string | null> {
  if (!isUnseen || currentSession().state !== 'signedIn')
    return (await restoreSession()).member?.token ?? null
  const answer = await askServer()
  if (answer) beginSession(answer)
  return answer?.token ?? null
}

/** Follows a sign-out in another tab. Cookies that merely expired end nothing: the next call asks to sign in again. */
export function followOthers(): void {
  const { state } = currentSession()
  if (state === 'signedIn' && signedOutAt() > signedInAt) giveUp()
  // What waits in this tab for the return of a member who has signed out in another.
  if (state === 'signedOut') keepDraftsForReturn(signedOutAt())
}

/** Ends the session of a member who was asked to sign in again and declined. */
export function giveUp(): void {
  become(signedOut)
  startAnew()
  sessionHooks.onEnd?.()
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
  const session = currentSession()
  if (session.state === 'signedIn') become({ ...session, member: { ...session.member, ...changes } })
}
