import type { CallOf } from '#contract/endpoint.ts'
import type { signIn as signInEndpoint } from '#contract/sessions.ts'

/** Code that is needed only for signing in is loaded on the first attempt, so that the form appears early. */
const signingIn = () => Promise.all([import('../call/call.ts'), import('../session/keep-session.ts')])

export async function signIn(input: CallOf<typeof signInEndpoint>['body']): Promise<void> {
  const [[{ call }, { beginSession }], endpoints] = await Promise.all([
    signingIn(),
    import('#contract/sessions.ts'),
  ])
  beginSession(await call(endpoints.signIn, { body: input }))
}

export async function signInWithPasskey(): Promise<void> {
  const [[{ call }, { beginSession }], endpoints, { signWithPasskey }] = await Promise.all([
    signingIn(),
    import('#contract/passkeys.ts'),
    import('./passkeys/passkey-browser.ts'),
  ])
  const credential = await signWithPasskey(await call(endpoints.beginPasskeySignIn, { body: {} }))
  beginSession(await call(endpoints.finishPasskeySignIn, { body: { credential } }))
}
