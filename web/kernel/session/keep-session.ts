import type { SignedIn } from '#contract/people/sessions.ts'
import { readItem, writeItem } from '../state/browser-storage.ts'
import { currentLanguage } from '../i18n/current-language.ts'
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

/** Storage key for the time of the last sign-out in this browser, read by its other tabs. */
const signedOutAtKey = '_leftAt'
const signedOutAt = (): number => Number(readItem('localStorage', signedOutAtKey))
let signedInAt = 0
let restoring: Promise<Session> | undefined

function become(next: Session): Session {
  const before = currentSession().member?.id
  if (before && next.member && next.member.id !== before) resetPage()
  // The next user of this computer must not find drafts.
  keepDraftsOf(next.member?.id ?? null, signedOutAt())
  return showSession(next)
}

function expire(): Session {
  keepDraftsForReturn(signedOutAt())
  return showSession(signedOut)
}

/** Every kind of sign-in ends with this function. */
export function beginSession(answer: SignedIn): Session {
  signedInAt = Date.now()
  return become({
    state: 'signedIn',
    member: {
      ...answer,
      language: currentLanguage() === 'cn' ? 'CN' : 'EN',
      hasMerchant: answer.defaultMerchant !== null,
    },
  })
}

/**
 * Requests the session that belongs to the browser's cookies; without cookies nothing is requested. If there is no
 * response, the session stays unchanged and the error is thrown. A member whose session has ended is asked to sign in
 * again and counts as signed in until then, so that the page keeps their input.
 */
export function restoreSession(): Promise<Session> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

async function restore(): Promise<Session> {
  const answer = await requestSession().finally(() => delete document.documentElement.dataset['session'])
  if (answer) return beginSession(answer)
  const before = currentSession()
  if (before.state !== 'signedIn' || !sessionHooks.reauthenticate) return expire()
  await sessionHooks.reauthenticate(before.member)
  const after = currentSession()
  return after === before ? signedOut : after
}

async function requestSession(): Promise<SignedIn | null> {
  if (!mayHaveSession()) return null
  // Visitors who only read need neither the API client nor the contract, so both load on first use.
  const [{ call, isSessionRefused }, endpoints] = await Promise.all([
    import('../call/call.ts'),
    import('#contract/people/sessions.ts'),
  ])
  return call(endpoints.restoreSession, { body: {} }).catch((failure: unknown) => {
    if (isSessionRefused(failure)) return null
    throw failure
  })
}

/**
 * Returns a new token or null. Background work never asks a member to sign in again: it fails, and the member stays
 * signed in.
 */
export async function renewToken({ isUnseen }: { isUnseen: boolean }): Promise<string | null> {
  if (!isUnseen || currentSession().state !== 'signedIn')
    return (await restoreSession()).member?.token ?? null
  const answer = await requestSession()
  if (answer) beginSession(answer)
  return answer?.token ?? null
}

/**
 * Follows a sign-out in another tab. Expired cookies alone do not end the session: the next request asks the member to
 * sign in again.
 */
export function followOtherTabsSignOut(): void {
  const { state } = currentSession()
  if (state === 'signedIn' && signedOutAt() > signedInAt) declineReauthentication()
  // Keeps this tab's drafts for a member who signed out in another tab and may return.
  if (state === 'signedOut') keepDraftsForReturn(signedOutAt())
}

/** Ends the session of a member who declined to sign in again. */
export function declineReauthentication(): void {
  become(signedOut)
  resetPage()
  sessionHooks.onEnd?.()
}

/** Resets a page that is open to everyone and discards its input. */
const resetPage = () => departures.set(departures.get() + 1)

/** Called after signing out here, even if a lost connection prevents the navigation to the home page. */
export function clearAfterSignOut(): void {
  clearSession()
  resetPage()
}

/** Clears the browser's session data after the server has ended the session. Other tabs follow. */
export function clearSession(): void {
  writeItem('sessionStorage', '_afterLoginUrl', null)
  writeItem('sessionStorage', '_needId', null)
  writeItem('localStorage', signedOutAtKey, String(Date.now()))
  become(signedOut)
}

/** Applies a change of the member that a page knows of, such as a new display name after saving. */
export function updateMember(changes: Partial<Member>): void {
  const session = currentSession()
  if (session.state === 'signedIn') become({ ...session, member: { ...session.member, ...changes } })
}
