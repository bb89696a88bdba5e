import type { SignedIn } from '#contract/sessions.ts'
import { callAs } from '../call/caller.ts'
import { createStore, useStore, type Store } from '../state/create-store.ts'
import { readCookie } from '../state/browser-storage.ts'
import { hasDrafts } from '../state/draft-key.ts'

/** Spanish and French exist in sessions of other clients only; no text is in them. */
type SessionLanguage = 'EN' | 'CN' | 'SP' | 'FR'

export type Member = SignedIn & { language: SessionLanguage; hasMerchant: boolean }

export type Session =
  | { state: 'unknown'; member: null }
  | { state: 'signedOut'; member: null }
  | { state: 'signedIn'; member: Member }

const unknown: Session = { state: 'unknown', member: null }
export const signedOut: Session = { state: 'signedOut', member: null }

const store = createStore<Session>(unknown)

/** Counts the sessions that ended so: a page that is open to everyone starts anew then, without what was typed into it. */
export const departures: Store<number> = createStore(0)

export function showSession(next: Session): Session {
  delete document.documentElement.dataset['session']
  store.set(next)
  return next
}

export const currentSession: () => Session = store.get

/** On the server, and until the browser has asked, the session is `unknown`. */
export const useSession = (): Session => useStore(store)

/** Set by higher layers, once. */
export const sessionHooks: {
  /** Asks a member whose session has ended, in place, to sign in again. Resolves once they did or declined. */
  askAgain?: (ended: Member) => Promise<unknown>
  /** Called when a session ends other than by signing out here: in another tab, or by declining to sign in again. */
  onEnd?: () => void
} = {}

/** The readable cookie is set and cleared together with the session's HttpOnly one. */
export const mayHaveSession = (): boolean => readCookie('XSRF-TOKEN') !== null

/** Strangers who only read do not need what begins, restores and ends sessions. */
const keeping = () => import('./keep-session.ts')

callAs({
  token: () => store.get().member?.token,
  renewToken: async (options) => (await keeping()).renewToken(options),
})

/** The session; requested first if it is not known yet or if another tab has signed in. */
export async function settledSession(): Promise<Session> {
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

/** Follows a sign-out in another tab, as `keep-session.ts` says. */
export function followOtherTabs(): void {
  if (store.get().state !== 'signedIn' && !hasDrafts()) return
  keeping().then(
    ({ followOthers }) => followOthers(),
    () => {
      // Without a connection the other tab is followed at the next chance.
    },
  )
}
