import { useSyncExternalStore } from 'react'
import type { CallOf } from '#contract/endpoint.ts'
import type { signIn as signInEndpoint, SignedIn } from '#contract/sessions.ts'
import { readCookie, writeItem } from './browser-storage.ts'
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
/** What a member has typed into a long form, without pictures; it ends with the session. */
export const draftKey = '_draft'

const listeners = new Set<() => void>()
const endListeners = new Set<() => void>()

function become(next: Session): Session {
  session = next
  // Who sits here next must not find what was typed.
  if (next.state === 'signedOut') writeItem('sessionStorage', draftKey, null)
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const currentSession = (): Session => session

/** On the server, and until the browser has asked, the session is `unknown`. */
export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession, () => unknown)

/** Told when a session ends that the member did not end here: it ran out, was revoked or left in another tab. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

/** The readable cookie comes and goes with the session's own, which no script can see. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/** A page that is only read needs neither the client of the API nor the contract: they come when they are used. */
const client = async () => {
  const [calls, endpoints] = await Promise.all([import('./call.ts'), import('#contract/sessions.ts')])
  return { ...calls, endpoints }
}

/**
 * Asks the server for the session that the browser's cookies carry; without one nothing is asked. Where no answer
 * comes the session stays as it is and the failure is thrown.
 */
export function restoreSession(): Promise<Session> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

async function restore(): Promise<Session> {
  if (!mayHaveSession()) return become(signedOut)
  try {
    const { call, isSessionRefused, endpoints } = await client()
    const answer = await call(endpoints.restoreSession, { body: {} }).catch((failure: unknown) => {
      if (isSessionRefused(failure)) return null
      throw failure
    })
    return answer ? becomeSignedIn(answer) : become(signedOut)
  } finally {
    delete document.documentElement.dataset['session']
  }
}

/** A fresh token for a call whose own has run out; null where there is no session any more. */
export async function renewedToken(): Promise<string | null> {
  const wasSignedIn = session.state === 'signedIn'
  const { member } = await restoreSession()
  if (wasSignedIn && !member) for (const listener of endListeners) listener()
  return member?.token ?? null
}

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
  const { call, endpoints } = await client()
  const answer = await call(endpoints.signIn, { body: input })
  becomeSignedIn(answer)
  return answer
}

/** Ends the session on the server, then here. Where the server could not be reached the member stays signed in. */
export async function signOut(): Promise<void> {
  const { call, isSessionRefused, endpoints } = await client()
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
