import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { id, line, page, requiredLine, text, time } from './fields.ts'
import { level } from './members.ts'

/**
 * What every API token begins with, so that whoever finds one knows what it is. 43 random characters and 6 of a checksum follow.
 * Scanners for secrets look for `coinsite_[0-9A-Za-z]{49}`.
 */
export const apiTokenPrefix = 'coinsite_'

export const tokenDaysMax = 365
export const tokenDaysDefault = 90
/** So long before its end its maker gets a mail, and the list says so. */
export const tokenWarningDays = 7
export const tokenNameMax = 80
export const tokenPurposeMax = 300
export const tokenAddressesMax = 20
/** That live, of one maker. */
export const tokensMax = 20
/** How long the old secret serves on after a new one is made. */
export const tokenOverlapHours = [0, 1, 24, 168] as const
/** Of one token, in a minute. */
export const tokenCallsMax = 600
/** Of one client, in 15 minutes. */
export const failedTokensMax = 30

export const tokenStates = ['active', 'ending', 'expired', 'revoked', 'dead'] as const
export type TokenState = (typeof tokenStates)[number]

/** Why a token that is known was refused. */
export const tokenRefusals = ['expired', 'revoked', 'address', 'maker'] as const
export type TokenRefusal = (typeof tokenRefusals)[number]

const levels = { news: level, employee: level, finance: level, coins: level }
export const tokenLevels = z.strictObject(levels)
export type TokenLevels = z.infer<typeof tokenLevels>

/** An address, or a network as `203.0.113.0/24`, of either version. */
const network = line(49).check(
  z.refine(
    (value) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => form.safeParse(value).success),
    'invalid',
  ),
)

const days = z.number().check(z.int(), z.gte(1, 'too_little'), z.lte(tokenDaysMax, 'too_much'))
const noted = z.object({
  at: time,
  /** The network it came from: of an IPv4 address the first three numbers, of an IPv6 address its /48. */
  place: z.string(),
})

export const apiToken = z.object({
  id,
  name: z.string(),
  purpose: z.string(),
  maker: z.object({ id, name: z.string() }),
  isOwn: z.boolean(),
  /** `dead`: nothing accepts it now. Its maker's account is closed, they have none of its levels, or lack the second factor that staff must have. */
  state: z.enum(tokenStates),
  levels: z.object(levels),
  /** What counts of them now: no more than its maker has. */
  counting: z.object(levels),
  isReadOnly: z.boolean(),
  addresses: z.array(z.string()),
  /** How the secret ends. */
  end: z.string(),
  createdAt: time,
  expiresAt: time,
  rotatedAt: z.nullable(time),
  /** Until when the secret before serves. */
  overlapUntil: z.nullable(time),
  /** When that was last used, be it before it was replaced or since. */
  formerUsedAt: z.nullable(time),
  /** Of the secret of now. */
  lastUsed: z.nullable(noted),
  /** The last time it was refused though it is known. From an address outside its list, somebody else may have it. */
  lastRefused: z.nullable(z.extend(noted, { why: z.enum(tokenRefusals) })),
  revoked: z.nullable(z.object({ at: time, by: z.string(), reason: z.string() })),
})
export type ApiToken = z.infer<typeof apiToken>

export const tokenSorts = ['created', '-created', 'expires', '-expires'] as const

export const listApiTokens = endpoint('GET', 'admin/tokens', {
  about: 'One’s own API tokens; for administrators those of everybody. Never with a secret.',
  access: staff('any'),
  query: z.strictObject({
    state: z.optional(z.enum(tokenStates, 'one_of')),
    level: z.optional(z.enum(['news', 'employee', 'finance', 'coins'], 'one_of')),
    /** In the name or purpose, or its maker's address. */
    q: z.optional(line(100)),
    whose: z.optional(z.enum(['mine', 'others'], 'one_of')),
    sort: z.optional(z.enum(tokenSorts, 'one_of')),
    ...page.shape,
  }),
  output: z.array(apiToken),
})

/** The secret is in this answer and nowhere else: the server keeps its hash. */
const withSecret = z.object({ token: apiToken, secret: z.string() })

export const createApiToken = endpoint('POST', 'admin/tokens', {
  about:
    'Make an API token with levels of one’s own, never with the right of an administrator. The answer has the secret, once.',
  access: staff('any'),
  status: 201,
  body: z.strictObject({
    name: requiredLine(tokenNameMax),
    purpose: z._default(line(tokenPurposeMax), ''),
    levels: tokenLevels,
    isReadOnly: z._default(z.boolean(), false),
    days: z._default(days, tokenDaysDefault),
    /** Empty: from anywhere. */
    addresses: z._default(z.array(network).check(z.maxLength(tokenAddressesMax, 'too_many')), []),
  }),
  output: withSecret,
  errors: ['step_up_required'],
})

export const rotateApiToken = endpoint('POST', 'admin/tokens/:id/rotate', {
  about:
    'A new secret for one’s own token, in the answer once. The old one serves on for so many hours, and its end moves only where `days` are given.',
  access: staff('any'),
  params: z.strictObject({ id }),
  body: z.strictObject({
    overlapHours: z._default(z.literal(tokenOverlapHours, 'one_of'), 0),
    days: z.optional(days),
  }),
  output: withSecret,
  errors: ['step_up_required', 'not_found', 'conflict'],
})

export const revokeReasonMax = 300

export const revokeApiToken = endpoint('POST', 'admin/tokens/:id/revoke', {
  about: 'End a token at once, with a reason: one’s own or, for administrators with fresh proof, anybody’s.',
  access: staff('any'),
  params: z.strictObject({ id }),
  body: z.strictObject({
    reason: text(revokeReasonMax).check(z.trim(), z.minLength(1, 'required')),
  }),
  output: apiToken,
  errors: ['not_found', 'step_up_required'],
})

/** A part of `api.ts`. */
export const apiTokenCalls = { listApiTokens, createApiToken, rotateApiToken, revokeApiToken }
