import type { CallOf } from '#contract/endpoint.ts'
import type { signIn as signInEndpoint } from '#contract/sessions.ts'
import { call } from '../call/call.ts'
import { beginSession } from '../session/session.ts'

/** Code needed only for signing in is loaded on the first attempt, so that the form appears early. */
export async function signIn(input: CallOf<typeof signInEndpoint>['body']): Promise<void> {
  const endpoints = await import('#contract/sessions.ts')
  beginSession(await call(endpoints.signIn, { body: input }))
}

export async function signInWithPasskey(): Promise<void> {
  const [endpoints, { signWithPasskey }] = await Promise.all([
    import('#contract/passkeys.ts'),
    import('./passkeys/passkey-browser.ts'),
  ])
  const credential = await signWithPasskey(await call(endpoints.beginPasskeySignIn, { body: {} }))
  beginSession(await call(endpoints.finishPasskeySignIn, { body: { credential } }))
}
