import * as z from 'zod/mini'
import { anyone, endpoint, member } from '../platform/endpoint.ts'
import { done, id, nameLengthMax, noBody, requiredLine, time } from '../platform/fields.ts'
import { signedIn } from './sessions.ts'
import { passkeyAssertion, passkeyCreation, passkeyMade, passkeyRequest } from './webauthn.ts'

export const passkeysMax = 10
export const passkeyName = requiredLine(nameLengthMax)

export const passkey = z.object({
  id,
  name: z.string(),
  createdAt: time,
  lastUsedAt: z.nullable(time),
  /** Whether it is synced beyond one device, for example by a password manager. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

export const listPasskeys = endpoint('GET', 'members/passkeys', {
  about: 'List the member’s passkeys (WebAuthn), oldest first.',
  access: member,
  output: z.array(passkey),
})

export const beginPasskey = endpoint('POST', 'members/passkeys/begin', {
  about:
    'Get the options that a browser needs to create a passkey. They are valid for 5 minutes and one attempt.',
  access: member,
  body: noBody,
  output: passkeyCreation,
  errors: ['conflict', 'step_up_required'],
})

export const finishPasskey = endpoint('POST', 'members/passkeys/finish', {
  about:
    'Register the passkey that the browser created. With the account’s first factor, the response contains 10 single-use recovery codes, which are shown only once.',
  access: member,
  body: z.strictObject({ credential: passkeyMade, name: z.optional(passkeyName) }),
  output: z.object({ passkey, recoveryCodes: z.nullable(z.array(z.string())) }),
  errors: ['passkey_invalid', 'conflict', 'step_up_required'],
})

export const renamePasskey = endpoint('POST', 'members/passkeys/rename', {
  about: 'Rename a passkey.',
  access: member,
  body: z.strictObject({ id, name: passkeyName }),
  output: passkey,
  errors: ['not_found'],
})

export const removePasskey = endpoint('DELETE', 'members/passkeys/:id', {
  about: 'Remove a passkey, which then can no longer be used to sign in.',
  access: member,
  params: z.strictObject({ id }),
  output: done('removed'),
  errors: ['last_admin', 'not_found', 'step_up_required'],
})

export const beginPasskeySignIn = endpoint('POST', 'members/passkeys/signin/begin', {
  about:
    'Get the options that a browser needs to sign in without a password. They are the same for everyone and valid for 5 minutes.',
  access: anyone,
  inMaintenance: 'session',
  body: noBody,
  output: passkeyRequest,
})

export const finishPasskeySignIn = endpoint('POST', 'members/passkeys/signin/finish', {
  about: 'Sign in with a passkey’s signature. The response and cookies are the same as for members/login.',
  access: anyone,
  inMaintenance: 'session',
  body: z.strictObject({ credential: passkeyAssertion }),
  output: signedIn,
  errors: ['passkey_invalid', 'member_inactive'],
})
