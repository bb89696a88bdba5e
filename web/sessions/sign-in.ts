import type { CallOf } from '#contract/platform/endpoint.ts'
import type { signIn as signInEndpoint } from '#contract/people/sessions.ts'

/** Code that is needed only for signing in is loaded on the first attempt, so that the form appears early. */
const signingIn = () =>
  Promise.all([import('../kernel/call/call.ts'), import('../kernel/session/keep-session.ts')])

export async function signIn(input: CallOf<typeof signInEndpoint>['body']): Promise<void> {
  const [[{ call }, { beginSession }], endpoints] = await Promise.all([
    signingIn(),
    import('#contract/people/sessions.ts'),
  ])
  beginSession(await call(endpoints.signIn, { body: input }))
}

export async function signInWithPasskey(): Promise<void> {
  const [[{ call }, { beginSession }], endpoints, { signWithPasskey }] = await Promise.all([
    signingIn(),
    import('#contract/people/passkeys.ts'),
    import('./passkeys/passkey-browser.ts'),
  ])
  const credential = await signWithPasskey(await call(endpoints.beginPasskeySignIn, { body: {} }))
  beginSession(await call(endpoints.finishPasskeySignIn, { body: { credential } }))
}
