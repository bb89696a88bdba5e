import type { SignedIn } from '#contract/people/sessions.ts'
import { callAs } from '../call/caller.ts'
import { createStore, useStore, type Store } from '../state/create-store.ts'
import { readCookie } from '../state/browser-storage.ts'
import { hasDrafts } from '../state/draft-key.ts'

/** Spanish and French occur only in sessions of other clients. There are no messages in these languages. */
type SessionLanguage = 'EN' | 'CN' | 'SP' | 'FR'

export type Member = SignedIn & { language: SessionLanguage; hasMerchant: boolean }

export type Session =
  | { state: 'unknown'; member: null }
  | { state: 'signedOut'; member: null }
  | { state: 'signedIn'; member: Member }

const unknown: Session = { state: 'unknown', member: null }
export const signedOut: Session = { state: 'signedOut', member: null }

const store = createStore<Session>(unknown)

/**
 * Number of sessions that have ended this way. A page that is open to everyone is then reset, and its input is
 * discarded.
 */
export const departures: Store<number> = createStore(0)

export function showSession(next: Session): Session {
  delete document.documentElement.dataset['session']
  store.set(next)
  return next
}

export const currentSession: () => Session = store.get

/** The current session. It is `unknown` on the server, and in the browser until it has been requested. */
export const useSession = (): Session => useStore(store)

/** Set once by higher layers. */
export const sessionHooks: {
  /**
   * Asks a member whose session has ended to sign in again without leaving the page. Resolves once they have signed in
   * or declined.
   */
  reauthenticate?: (ended: Member) => Promise<unknown>
  /** Called when a session ends other than by signing out here: in another tab, or by declining to sign in again. */
  onEnd?: () => void
} = {}

/** The readable cookie is set and cleared together with the session's HttpOnly one. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/** Visitors who only read do not need the code that starts, restores, and ends sessions. */
const keeping = () => import('./keep-session.ts')

callAs({
  token: () => store.get().member?.token,
  renewToken: async (options) => (await keeping()).renewToken(options),
})

/** Returns the session, and requests it first if it is unknown or another tab has signed in. */
export async function resolvedSession(): Promise<Session> {
  const session = store.get()
  const mayBeSignedIn = mayHaveSession()
  const isOutOfDate = session.state === 'unknown' || (session.state === 'signedOut' && mayBeSignedIn)
  if (!isOutOfDate) return session
  if (!mayBeSignedIn && !hasDrafts()) return showSession(signedOut)
  const { restoreSession } = await keeping().catch((failure: unknown) => {
    delete document.documentElement.dataset['session']
    throw failure
  })
  return restoreSession()
}

/** Follows a sign-out in another tab; see `keep-session.ts`. */
export function followOtherTabs(): void {
  if (store.get().state !== 'signedIn' && !hasDrafts()) return
  keeping().then(
    ({ followOtherTabsSignOut }) => followOtherTabsSignOut(),
    () => {
      // Without a connection, the next opportunity is used.
    },
  )
}
