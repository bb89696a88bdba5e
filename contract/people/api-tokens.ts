import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, line, requiredLine, text, time } from '../platform/fields.ts'
import { level } from './members.ts'
import { resource, sortedBy } from '../platform/resource.ts'

/**
 * Prefix of every API token, which identifies it if it leaks. It is followed by 43 random characters and a
 * 6-character checksum. Secret scanners look for `coinsite_[0-9A-Za-z]{49}`.
 */
export const apiTokenPrefix = 'coinsite_'

export const tokenDaysMax = 365
export const tokenDaysDefault = 90
/** This many days before a token expires, its owner gets an email and the list shows a warning. */
export const tokenWarningDays = 7
export const tokenAddressesMax = 20
/** The maximum number of active tokens per owner. */
export const tokensMax = 20
/** Hours for which the old secret stays valid after a new one is created. */
export const tokenOverlapHours = [0, 1, 24, 168] as const
/** API requests per token and minute. */
export const tokenCallsMax = 600
/** Failed attempts per client within 15 minutes. */
export const failedTokensMax = 30

export const tokenStates = ['active', 'ending', 'expired', 'revoked', 'dead'] as const
export type TokenState = (typeof tokenStates)[number]

/** Why a known token was rejected. */
const tokenRejections = ['expired', 'revoked', 'address', 'maker'] as const
export type TokenRejection = (typeof tokenRejections)[number]

const levels = { news: level, employee: level, finance: level, coins: level }
const tokenLevels = z.strictObject(levels)
export type TokenLevels = z.infer<typeof tokenLevels>

/** An IPv4 or IPv6 address, or a network such as `203.0.113.0/24`. */
const network = line(49).check(
  z.refine(
    (value) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => form.safeParse(value).success),
    'invalid',
  ),
)

const days = z.number().check(z.int(), z.gte(1, 'too_little'), z.lte(tokenDaysMax, 'too_much'))
const noted = z.object({
  at: time,
  /** Network of the caller: the first three numbers of an IPv4 address, or the /48 of an IPv6 address. */
  place: z.string(),
})

export const apiToken = z.object({
  id,
  name: z.string(),
  purpose: z.string(),
  maker: z.object({ id, name: z.string() }),
  isOwn: z.boolean(),
  /**
   * `dead`: the token is rejected because its owner's account is deactivated, has none of the token's levels, or lacks
   * the second factor required of staff.
   */
  state: z.enum(tokenStates),
  levels: z.object(levels),
  /** Effective levels, which never exceed the owner's. */
  counting: z.object(levels),
  isReadOnly: z.boolean(),
  addresses: z.array(z.string()),
  /** The last characters of the secret. */
  end: z.string(),
  createdAt: time,
  expiresAt: time,
  rotatedAt: z.nullable(time),
  /** When the previous secret expires. */
  overlapUntil: z.nullable(time),
  /** When the previous secret was last used, before or after its replacement. */
  formerUsedAt: z.nullable(time),
  /** Last use of the current secret. */
  lastUsed: z.nullable(noted),
  /**
   * The last time the token was rejected although it is known. If the caller's address was not on its list, the token
   * may have leaked.
   */
  lastRefused: z.nullable(z.extend(noted, { why: z.enum(tokenRejections) })),
  revoked: z.nullable(z.object({ at: time, by: z.string(), reason: z.string() })),
})
export type ApiToken = z.infer<typeof apiToken>

export const apiTokens = resource({
  path: 'admin/tokens',
  name: 'tokens',
  about: 'List the caller’s own API tokens. Administrators see everyone’s. Secrets are never included.',
  access: staff('any'),
  auditsAccess: { without: 'A token says nothing about a person but who made it.' },
  row: apiToken,
  filters: {
    state: z.optional(z.enum(tokenStates, 'one_of')),
    level: z.optional(z.enum(['news', 'employee', 'finance', 'coins'], 'one_of')),
    /** Matches the name, the purpose, or the owner's email address. */
    q: z.optional(line(100)),
    whose: z.optional(z.enum(['mine', 'others'], 'one_of')),
    sort: sortedBy('created', '-created', 'expires', '-expires'),
  },
  palette: { without: 'There are few, and they are read together.' },
})
export const { list: listApiTokens } = apiTokens

/** Only this response contains the secret, because the server stores only its hash. */
const withSecret = z.object({ token: apiToken, secret: z.string() })

export const createApiToken = endpoint('POST', 'admin/tokens', {
  about:
    'Create an API token with some of the caller’s own levels, but never with administrator rights. The response contains the secret, which is shown only once.',
  access: staff('any'),
  status: 201,
  body: z.strictObject({
    name: requiredLine(80),
    purpose: z._default(line(300), ''),
    levels: tokenLevels,
    isReadOnly: z._default(z.boolean(), false),
    days: z._default(days, tokenDaysDefault),
    /** An empty list allows any address. */
    addresses: z._default(z.array(network).check(z.maxLength(tokenAddressesMax, 'too_many')), []),
  }),
  output: withSecret,
  errors: ['step_up_required'],
})

export const rotateApiToken = endpoint('POST', 'admin/tokens/:id/rotate', {
  about:
    'Replace the secret of the caller’s own token. The response contains the new secret, which is shown only once. The old one stays valid for the given number of hours. The token’s expiry changes only if `days` is given.',
  access: staff('any'),
  params: z.strictObject({ id }),
  body: z.strictObject({
    overlapHours: z._default(z.literal(tokenOverlapHours, 'one_of'), 0),
    days: z.optional(days),
  }),
  output: withSecret,
  errors: ['step_up_required', 'not_found', 'conflict'],
})

export const revokeApiToken = endpoint('POST', 'admin/tokens/:id/revoke', {
  about:
    'Revoke a token immediately, with a reason. Owners can revoke their own tokens; administrators can revoke any token after step-up authentication.',
  access: staff('any'),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: text(300).check(z.trim(), z.minLength(1, 'required')) }),
  output: apiToken,
  errors: ['not_found', 'step_up_required'],
})
