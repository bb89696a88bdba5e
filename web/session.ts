import { useSyncExternalStore } from 'react'
import type { CallOf } from '#contract/endpoint.ts'
import type { signIn as signInEndpoint, SignedIn } from '#contract/sessions.ts'
import { readCookie, writeItem } from './browser-storage.ts'
import { call, CallFailed, signWith } from './call.ts'
import { spokenLanguage } from './i18n/spoken-now.ts'

/** Spanish and French exist in sessions of other clients only; no text is in them. */
type SessionLanguage = 'EN' | 'CN' | 'SP' | 'FR'

export type Member = SignedIn & { language: SessionLanguage; hasMerchant: boolean }

export type Session =
  | { state: 'unknown'; member: null }
  | { state: 'signedOut'; member: null }
  | { state: 'signedIn'; member: Member }

const unknown: Session = { state: 'unknown', member: null }
const signedOut: Session = { state: 'signedOut', member: null }

let session: Session = unknown
let restoring: Promise<Session> | undefined
const listeners = new Set<() => void>()
const endListeners = new Set<() => void>()

function become(next: Session): Session {
  session = next
  delete document.documentElement.dataset['session']
  for (const listener of listeners) listener()
  return next
}

const becomeSignedIn = (answer: SignedIn): Session =>
  become({
    state: 'signedIn',
    member: {
      ...answer,
      language: spokenLanguage() === 'cn' ? 'CN' : 'EN',
      hasMerchant: answer.defaultMerchant !== null,
    },
  })

export const currentSession = (): Session => session

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** On the server, and until the browser has asked, the session is `unknown`. */
export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession, () => unknown)

/** Told when a session ends that the member did not end: it ran out or was revoked. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

/** The readable cookie comes and goes with the session's own, which no script can see. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/**
 * Asks the server for the session that the browser's cookies carry; without one nothing is asked. Where no answer
 * comes the session stays `unknown` and the failure is thrown.
 */
export function restoreSession(): Promise<Session> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

async function restore(): Promise<Session> {
  if (!mayHaveSession()) return become(signedOut)
  const endpoints = await import('#contract/sessions.ts')
  try {
    return becomeSignedIn(await call(endpoints.restoreSession, { body: {} }))
  } catch (failure) {
    if (isSessionRefused(failure)) return become(signedOut)
    delete document.documentElement.dataset['session']
    throw failure
  }
}

const isSessionRefused = (failure: unknown): boolean =>
  failure instanceof CallFailed && (failure.status === 401 || failure.code === 'xsrf_failed')

/** The session, asked for where it is not known yet or where another tab has signed in. */
export function settledSession(): Promise<Session> {
  const isOutOfDate = session.state === 'unknown' || (session.state === 'signedOut' && mayHaveSession())
  return isOutOfDate ? restoreSession() : Promise.resolve(session)
}

/** Follows a sign-out in another tab: the cookies have gone. */
export function followOtherTabs(): void {
  if (session.state !== 'signedIn' || mayHaveSession()) return
  become(signedOut)
  for (const listener of endListeners) listener()
}

export async function signIn(input: CallOf<typeof signInEndpoint>['body']): Promise<SignedIn> {
  const endpoints = await import('#contract/sessions.ts')
  const answer = await call(endpoints.signIn, { body: input })
  becomeSignedIn(answer)
  return answer
}

/** Ends the session on the server, then here. Where the server could not be reached the member stays signed in. */
export async function signOut(): Promise<void> {
  const endpoints = await import('#contract/sessions.ts')
  try {
    await call(endpoints.signOut, { body: {} })
  } catch (failure) {
    if (!isSessionRefused(failure)) throw failure
  }
  writeItem('sessionStorage', '_afterLoginUrl', null)
  writeItem('sessionStorage', '_needId', null)
  become(signedOut)
}

/** What a page has learnt about the member, such as a new display name after a save. */
export function updateMember(changes: Partial<Member>): void {
  if (session.state === 'signedIn') become({ ...session, member: { ...session.member, ...changes } })
}

signWith({
  token: () => session.member?.token ?? null,
  async renew() {
    const wasSignedIn = session.state === 'signedIn'
    const { state } = await restoreSession()
    if (state === 'signedIn') return true
    if (wasSignedIn) for (const listener of endListeners) listener()
    return false
  },
})
