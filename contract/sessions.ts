import * as z from 'zod/mini'
import { anyone, endpoint, member, session } from './endpoint.ts'
import { currentPassword, done, email, id, line, noBody, time } from './fields.ts'
import { kycState } from './kyc.ts'
import { rights } from './members.ts'

/** What sign-in answers. `token` lives 15 minutes, is kept in memory only and travels as `x-access-token`. */
export const signedIn = z.object({
  token: z.string(),
  expiresAt: time,
  id,
  email: z.string(),
  displayName: z.string(),
  ...rights,
  defaultMerchant: z.nullable(z.object({ _id: id })),
  kyc: kycState,
  /** Whether the account has a second factor, so that pages can ask staff to set one up. */
  hasSecondFactor: z.boolean(),
})
export type SignedIn = z.infer<typeof signedIn>

export const signIn = endpoint('POST', 'members/login', {
  about: 'Sign in. Sets the refresh cookie and XSRF-TOKEN. `secondFactor` takes a TOTP or a recovery code.',
  access: anyone,
  body: z.strictObject({
    email,
    password: currentPassword,
    secondFactor: z.optional(line(40)),
  }),
  output: signedIn,
  errors: ['credentials_invalid', 'member_inactive', 'second_factor_required'],
})

export const restoreSession = endpoint('POST', 'members/session', {
  about: 'A fresh access token for the session of the refresh cookie.',
  access: session,
  body: noBody,
  output: signedIn,
})

export const signOut = endpoint('POST', 'members/logout', {
  about: 'End the session of the refresh cookie.',
  access: session,
  body: noBody,
  output: done('signedOut'),
})

export const sessionSeen = z.object({
  id,
  device: z.string(),
  place: z.string(),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
})
export type SessionSeen = z.infer<typeof sessionSeen>

export const listSessions = endpoint('GET', 'members/sessions', {
  about: 'The member’s living sessions.',
  access: member,
  output: z.array(sessionSeen),
})

export const revokeSession = endpoint('DELETE', 'members/sessions/:id', {
  about: 'End one of the member’s sessions.',
  access: member,
  params: z.strictObject({ id }),
  output: done('revoked'),
  errors: ['not_found'],
})

const totpCode = z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(40, 'too_long'))

export const beginTotp = endpoint('POST', 'members/totp/begin', {
  about: 'A new TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds). Counts once it is confirmed.',
  access: member,
  body: noBody,
  output: z.object({ secret: z.string(), otpauthUrl: z.string() }),
  errors: ['conflict'],
})

export const confirmTotp = endpoint('POST', 'members/totp/confirm', {
  about: 'Confirm the new secret with a code. Answers ten single-use recovery codes, shown once.',
  access: member,
  body: z.strictObject({ code: totpCode }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['code_invalid', 'conflict'],
})

export const removeTotp = endpoint('POST', 'members/totp/remove', {
  about: 'Remove the second factor, with a TOTP or recovery code.',
  access: member,
  body: z.strictObject({ code: totpCode }),
  output: done('removed'),
  errors: ['code_invalid', 'conflict'],
})
