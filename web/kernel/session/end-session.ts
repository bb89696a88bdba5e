import { signOut } from '#contract/people/sessions.ts'
import { call, isSessionRefused } from '../call/call.ts'
import { clearAfterSignOut } from './keep-session.ts'

/**
 * Signs out in the browser and on the server, where the session may already have ended. Throws if the server cannot be
 * reached.
 */
export async function endSession(): Promise<void> {
  await call(signOut, { body: {} }).catch((failure: unknown) => {
    if (!isSessionRefused(failure)) throw failure
  })
  clearAfterSignOut()
}
