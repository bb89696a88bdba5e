import * as z from 'zod/mini'
import { anyone, endpoint, member } from './endpoint.ts'
import { done, id, nameLengthMax, noBody, requiredLine, time } from './fields.ts'
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
  about: 'The member’s passkeys (WebAuthn), the oldest first.',
  access: member,
  output: z.array(passkey),
})

export const beginPasskey = endpoint('POST', 'members/passkeys/begin', {
  about: 'What a browser needs to make a passkey. Good for five minutes and one answer.',
  access: member,
  body: noBody,
  output: passkeyCreation,
  errors: ['conflict', 'step_up_required'],
})

export const finishPasskey = endpoint('POST', 'members/passkeys/finish', {
  about:
    'Keep the passkey that the browser made. With an account’s first factor come ten single-use recovery codes, shown once.',
  access: member,
  body: z.strictObject({ credential: passkeyMade, name: z.optional(passkeyName) }),
  output: z.object({ passkey, recoveryCodes: z.nullable(z.array(z.string())) }),
  errors: ['passkey_invalid', 'conflict', 'step_up_required'],
})

export const renamePasskey = endpoint('POST', 'members/passkeys/rename', {
  about: 'Give a passkey another name.',
  access: member,
  body: z.strictObject({ id, name: passkeyName }),
  output: passkey,
  errors: ['not_found'],
})

export const removePasskey = endpoint('DELETE', 'members/passkeys/:id', {
  about: 'Remove a passkey: it opens the account no more.',
  access: member,
  params: z.strictObject({ id }),
  output: done('removed'),
  errors: ['last_admin', 'not_found', 'step_up_required'],
})

export const beginPasskeySignIn = endpoint('POST', 'members/passkeys/signin/begin', {
  about: 'What a browser needs to sign in without a password: the same for everybody, good for five minutes.',
  access: anyone,
  body: noBody,
  output: passkeyRequest,
})

export const finishPasskeySignIn = endpoint('POST', 'members/passkeys/signin/finish', {
  about: 'Sign in with what the passkey signed. The answer and the cookies are those of members/login.',
  access: anyone,
  body: z.strictObject({ credential: passkeyAssertion }),
  output: signedIn,
  errors: ['passkey_invalid', 'member_inactive'],
})
