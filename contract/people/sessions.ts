import * as z from 'zod/mini'
import { MINUTE } from '../platform/durations.ts'
import { anyone, endpoint, member, session, staff } from '../platform/endpoint.ts'
import { currentPassword, done, email, factorCode, id, line, noBody, time } from '../platform/fields.ts'
import { kycState } from './kyc.ts'
import { rights, waitingRights } from './members.ts'
import { passkeyAssertion, passkeyRequest } from './webauthn.ts'

/** How long after step-up authentication a member can change security settings. */
export const stepUpLife = 10 * MINUTE

/**
 * The response to a sign-in. `token` is valid for 15 minutes, is kept in memory only, and is sent as `x-access-token`.
 */
export const signedIn = z.object({
  token: z.string(),
  expiresAt: time,
  id,
  email: z.string(),
  displayName: z.string(),
  ...rights,
  waitingRights: z.optional(waitingRights),
  defaultMerchant: z.nullable(z.object({ _id: id })),
  kyc: kycState,
  /** Whether the account has a second factor, so that pages can ask staff to set one up. */
  hasSecondFactor: z.boolean(),
  /** Whether staff endpoints reject this member until the account has a second factor. */
  needsSecondFactor: z.boolean(),
  /** Whether signing in leads this staff member to the console instead of the account. */
  opensConsole: z.boolean(),
})
export type SignedIn = z.infer<typeof signedIn>

export const signIn = endpoint('POST', 'members/login', {
  about:
    'Sign in. Sets the refresh cookie and XSRF-TOKEN. `secondFactor` accepts a TOTP code or a recovery code, and `passkey` a passkey’s signature. The error `second_factor_required` lists the factors that the account has.',
  access: anyone,
  inMaintenance: 'session',
  body: z.strictObject({
    email,
    password: currentPassword,
    secondFactor: z.optional(line(40)),
    passkey: z.optional(passkeyAssertion),
  }),
  output: signedIn,
  errors: ['credentials_invalid', 'member_inactive', 'second_factor_required'],
})

const consoleStart = z.strictObject({ opensConsole: z.boolean() })

export const setConsoleStart = endpoint('POST', 'members/console-start', {
  about: 'Choose whether signing in leads to the staff console instead of the account.',
  access: staff('any'),
  body: consoleStart,
  output: consoleStart,
})

export const restoreSession = endpoint('POST', 'members/session', {
  about: 'Get a new access token for the session of the refresh cookie.',
  access: session,
  inMaintenance: 'session',
  body: noBody,
  output: signedIn,
})

export const signOut = endpoint('POST', 'members/logout', {
  about: 'Sign out of the session of the refresh cookie.',
  access: session,
  inMaintenance: 'session',
  body: noBody,
  output: done('signedOut'),
})

const sessionSeen = z.object({
  id,
  device: z.string(),
  place: z.string(),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
})
export type SessionSeen = z.infer<typeof sessionSeen>

export const listSessions = endpoint('GET', 'members/sessions', {
  about: 'List the member’s active sessions.',
  access: member,
  output: z.array(sessionSeen),
})

export const revokeSession = endpoint('DELETE', 'members/sessions/:id', {
  about: 'Terminate one of the member’s sessions.',
  access: member,
  params: z.strictObject({ id }),
  output: done('revoked'),
  errors: ['not_found'],
})

export const revokeOtherSessions = endpoint('POST', 'members/sessions/revokeothers', {
  about: 'Terminate all of the member’s sessions except the current one.',
  access: member,
  body: noBody,
  output: z.object({ revoked: z.int() }),
})

/** Proofs accepted for step-up authentication. */
const proofKinds = ['password', 'totp', 'recovery', 'passkey'] as const
export type ProofKind = (typeof proofKinds)[number]

export const beginStepUp = endpoint('POST', 'members/stepup/begin', {
  about:
    'List the ways in which the member can complete step-up authentication and, for passkeys, the options that the browser needs.',
  access: member,
  inMaintenance: 'session',
  body: noBody,
  output: z.object({ kinds: z.array(z.enum(proofKinds)), passkey: z.nullable(passkeyRequest) }),
})

export const stepUp = endpoint('POST', 'members/stepup', {
  about:
    'Complete step-up authentication with a code (TOTP or recovery), a passkey, or, for accounts without a second factor, the password. For 10 minutes, the session can then change security settings. A recent sign-in has the same effect.',
  access: member,
  inMaintenance: 'session',
  body: z
    .strictObject({
      password: z.optional(currentPassword),
      code: z.optional(line(40).check(z.minLength(1, 'required'))),
      passkey: z.optional(passkeyAssertion),
    })
    .check(
      z.refine(({ password, code, passkey }) => [password, code, passkey].filter(Boolean).length === 1, {
        error: 'required',
        path: ['password'],
      }),
    ),
  output: z.object({ provedUntil: time }),
  errors: ['credentials_invalid', 'code_invalid', 'passkey_invalid', 'second_factor_required'],
})

/** Called before an action that is sent later, so that the person confirms their identity in time. */
export const checkStepUp = endpoint('POST', 'members/stepup/check', {
  about: 'Check that the session completed step-up authentication, or a sign-in, within the last 10 minutes.',
  access: member,
  inMaintenance: 'session',
  body: noBody,
  output: done('proved'),
  errors: ['step_up_required'],
})

export const getFactors = endpoint('GET', 'members/factors', {
  about:
    'List the account’s second factors, the number of recovery codes left, and whether a factor can be added.',
  access: member,
  output: z.object({
    totp: z.boolean(),
    passkeys: z.int(),
    recoveryCodesLeft: z.int(),
    /** Whether the account's email address is verified. Until then, a reset by email removes all factors. */
    mailboxProved: z.boolean(),
  }),
})

export const renewRecoveryCodes = endpoint('POST', 'members/recoverycodes/renew', {
  about: 'Create 10 new single-use recovery codes, which are shown only once. Older codes stop working.',
  access: member,
  body: noBody,
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['conflict', 'step_up_required'],
})

export const beginTotp = endpoint('POST', 'members/totp/begin', {
  about:
    'Create a new TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds). It takes effect once it is confirmed.',
  access: member,
  body: noBody,
  output: z.object({ secret: z.string(), otpauthUrl: z.string() }),
  errors: ['conflict', 'step_up_required'],
})

export const confirmTotp = endpoint('POST', 'members/totp/confirm', {
  about:
    'Confirm the new secret with a code. Returns 10 single-use recovery codes, which are shown only once.',
  access: member,
  body: z.strictObject({ code: factorCode }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['code_invalid', 'conflict', 'step_up_required'],
})

export const removeTotp = endpoint('POST', 'members/totp/remove', {
  about: 'Remove the authenticator app, using a TOTP code or a recovery code.',
  access: member,
  body: z.strictObject({ code: factorCode }),
  output: done('removed'),
  errors: ['code_invalid', 'conflict', 'last_admin', 'step_up_required'],
})
