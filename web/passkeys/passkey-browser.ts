import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { PasskeyAssertion, PasskeyCreation, PasskeyMade, PasskeyRequest } from '#contract/webauthn.ts'
import type { PlainKey } from '../i18n/message-key.ts'

const words = {
  cancelled: 'passkey.cancelled',
  known: 'passkey.known',
  unsupported: 'passkey.unsupported',
  failed: 'passkey.failed',
} as const satisfies Record<string, PlainKey>

/** The browser or its owner made or used no passkey. `passkeyWords` says why. */
export class PasskeyFailed extends Error {
  readonly reason: keyof typeof words

  constructor(reason: keyof typeof words) {
    super(reason)
    this.reason = reason
  }
}

export const passkeyWords = ({ reason }: PasskeyFailed): PlainKey => words[reason]

/** Has the browser make a passkey, as the server asks for it. */
export const makePasskey = (options: PasskeyCreation): Promise<PasskeyMade> =>
  inBrowser(
    async ({ startRegistration }) =>
      (await startRegistration({
        optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
      })) as PasskeyMade,
  )

/** Has a passkey of this person sign what the server asks. */
export const signWithPasskey = (options: PasskeyRequest): Promise<PasskeyAssertion> =>
  inBrowser(
    async ({ startAuthentication }) =>
      (await startAuthentication({
        optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      })) as PasskeyAssertion,
  )

/** The library comes when the first passkey is asked for, which on most visits is never. */
async function inBrowser<T>(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<T>,
): Promise<T> {
  const library = await import('@simplewebauthn/browser')
  if (!library.browserSupportsWebAuthn()) throw new PasskeyFailed('unsupported')
  return work(library).catch((cause: unknown) => {
    throw new PasskeyFailed(reasonOf(cause))
  })
}

function reasonOf(cause: unknown): keyof typeof words {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  if (name === 'InvalidStateError') return 'known'
  return name === 'NotSupportedError' || name === 'SecurityError' ? 'unsupported' : 'failed'
}
