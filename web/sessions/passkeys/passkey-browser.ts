import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyMade,
  PasskeyRequest,
} from '#contract/people/webauthn.ts'
import { LocalizedFailure } from '../../kernel/actions/failure-message.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'

/** Asks the browser to create a passkey with the server's options. */
export const makePasskey = (options: PasskeyCreation): Promise<PasskeyMade> =>
  inBrowser(
    async ({ startRegistration }) =>
      (await startRegistration({
        optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
      })) as PasskeyMade,
  )

/** Asks a passkey of this person to sign the server's challenge. */
export const signWithPasskey = (options: PasskeyRequest): Promise<PasskeyAssertion> =>
  inBrowser(
    async ({ startAuthentication }) =>
      (await startAuthentication({
        optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      })) as PasskeyAssertion,
  )

/** The library is loaded on first use, because most visits never need it. */
async function inBrowser<T>(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<T>,
): Promise<T> {
  const library = await import('@simplewebauthn/browser')
  if (!library.browserSupportsWebAuthn()) throw new LocalizedFailure('passkey.unsupported')
  return work(library).catch((cause: unknown) => {
    throw new LocalizedFailure(messageFor(cause))
  })
}

/** Explains why no passkey was created or used. */
function messageFor(cause: unknown): PlainKey {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'passkey.cancelled'
  if (name === 'InvalidStateError') return 'passkey.known'
  return name === 'NotSupportedError' || name === 'SecurityError' ? 'passkey.unsupported' : 'passkey.failed'
}
