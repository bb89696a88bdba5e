import * as z from 'zod/mini'

/**
 * WebAuthn Level 3 as JSON: bytes are base64url. Browsers may send further members in the future; members that are not
 * listed here are ignored.
 */
const bytes = (lengthMax: number) =>
  z
    .string()
    .check(
      z.minLength(1, 'required'),
      z.maxLength(lengthMax, 'too_long'),
      z.regex(/^[A-Za-z0-9_-]+$/, 'invalid'),
    )

/** A credential ID has at most 1023 bytes (WebAuthn, section 4). */
const credentialIdLengthMax = 1364

const credentialId = bytes(credentialIdLengthMax)
const clientDataJSON = bytes(4096)
const transport = z.string().check(z.regex(/^[a-z-]{1,20}$/, 'invalid'))
const attachment = z.optional(z.nullable(z.enum(['platform', 'cross-platform'])))

/** A new passkey created by a browser. */
export const passkeyMade = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(32_768),
    transports: z.optional(z.array(transport).check(z.maxLength(10, 'too_many'))),
  }),
})
export type PasskeyMade = z.infer<typeof passkeyMade>

/** A signature by a passkey. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

const known = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

/** Options with which a browser creates a passkey. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(known),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

/** Options with which a browser signs with a passkey. Without `allowCredentials`, the user chooses one. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.optional(z.array(known)),
})
export type PasskeyRequest = z.infer<typeof passkeyRequest>
