import * as z from 'zod/mini'
import { anyone, endpoint, member } from '../platform/endpoint.ts'
import { id, time } from '../platform/fields.ts'

/** Longer than any address and shorter than a whole email, because users check one item at a time. */
export const pastedLengthMax = 2000

/** Kinds of items that can be listed as official or as impersonations. A `domain` includes its subdomains. */
export const channelKinds = ['domain', 'link', 'email', 'handle', 'phone', 'coin'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** How the pasted text was classified. */
const pastedKinds = ['link', 'email', 'handle', 'phone', 'coin', 'text'] as const
export type PastedKind = (typeof pastedKinds)[number]

/** The role of an official item. `added`: entered in the console, with a name of its own. */
export const officialRoles = [
  'site',
  'contact',
  'sender',
  'phone',
  'social',
  'link',
  'wallet',
  'document',
  'receiving',
  'added',
] as const
/**
 * The parts of the brand that belong to the official list. Publishing a change of them requires the right to change
 * that list.
 */
export const officialBrandParts = ['email', 'phone', 'links', 'social'] as const

export type OfficialRole = (typeof officialRoles)[number]

/**
 * Signs of deception, including similarity to an official item. A single one keeps an item from being reported as
 * official.
 */
export const disguises = [
  'bidi',
  'invisible',
  'full_width',
  'styled',
  'mixed_scripts',
  'homograph',
  'look_alike',
  'near_miss',
  'other_ending',
  'below_another',
  'added_words',
  'in_path',
  'user_info',
  'backslash',
  'escaped',
  'dangerous_scheme',
  'display_name',
  'other_network',
  'other_port',
  'address_poisoning',
  'address_letters',
  'carries_more',
] as const
/** Further remarks on the pasted text. */
const remarks = [
  'punycode',
  'shortener',
  'ip_address',
  'other_scheme',
  'plain_http',
  'plus_address',
  'our_domain',
  'only_there',
  'no_country_code',
  'other_page',
  'checksum',
  'test_network',
  'several',
] as const
const officialSigns = [...disguises, ...remarks] as const
export type OfficialSign = (typeof officialSigns)[number]

const verdicts = ['official', 'false', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

const officialAnswer = z.object({
  verdict: z.enum(verdicts),
  kind: z.enum(pastedKinds),
  /** The pasted text, with invisible characters written out, shortened if it is long. */
  shown: z.string(),
  /** The host that a browser or an email would reach, or null if there is none. */
  leadsTo: z.nullable(z.string()),
  /** Whether it imitates an official item or hides what it is. */
  isDisguised: z.boolean(),
  /** The official item that it matches. */
  official: z.nullable(z.object({ role: z.enum(officialRoles), name: z.string(), value: z.string() })),
  /** The known item that it matches, and since when it has been listed. */
  known: z.nullable(z.object({ value: z.string(), note: z.string(), since: time })),
  /** The signs found, most serious first. `detail` is the part of the pasted text, `ours` what it resembles. */
  signs: z.array(z.object({ sign: z.enum(officialSigns), detail: z.string(), ours: z.string() })),
})
export type OfficialAnswer = z.infer<typeof officialAnswer>

/**
 * The result of a form that was sent without JavaScript: the response, or the message that explains why there is none.
 */
export type PostedCheck = { answer: OfficialAnswer } | { problem: string; text: string }

const pasted = z.strictObject({
  text: z.string().check(
    z.refine((text) => text.trim() !== '', 'required'),
    z.maxLength(pastedLengthMax, 'too_long'),
  ),
})

/** The text is neither stored nor logged, because only the request body contains it. */
export const checkOfficial = endpoint('POST', 'official/check', {
  about:
    'Check whether an address, link, email address, handle, phone number, or coin address is official, a known impersonation, or unknown, and return the findings. Nothing is stored.',
  access: anyone,
  inMaintenance: 'reads',
  body: pasted,
  output: officialAnswer,
})

const ownOrderFound = z.object({
  orderId: id,
  reference: z.string(),
  /** Whether the order still awaits a payment to the address. */
  isOpen: z.boolean(),
  /** Similar to the order's address, but different. */
  isAlike: z.boolean(),
})
export type OwnOrderFound = z.infer<typeof ownOrderFound>

/**
 * Compared only with the caller's own orders, so that it reveals nothing about others. The text is not stored.
 */
export const findOwnOrderByAddress = endpoint('POST', 'official/own-order', {
  about:
    'Find which of the caller’s own orders is paid to a receiving address, or to one that looks similar. Nothing is stored.',
  access: member,
  inMaintenance: 'reads',
  body: pasted,
  output: z.object({ order: z.nullable(ownOrderFound) }),
})

/**
 * The signed text: the UTF-8 bytes of a JSON text. Receiving addresses appear only as the SHA-256 of their canonical
 * form. Anyone who has an address can compare it, but nobody can find one out without an order.
 */
const officialDocument = z.strictObject({
  list: z.literal('official'),
  site: z.string(),
  issuedAt: time,
  expiresAt: time,
  entries: z.array(
    z.strictObject({
      kind: z.enum(channelKinds),
      role: z.enum(officialRoles),
      name: z.string(),
      /** Empty if `sha256` is given instead. */
      value: z.string(),
      sha256: z.optional(z.string()),
    }),
  ),
})
export type OfficialDocument = z.infer<typeof officialDocument>

export const officialListDays = 7
export const officialListPath = '/.well-known/official.json'

export const readOfficialList = endpoint('GET', 'official/list', {
  about: `Get the list of official channels, signed with the key that signs posts and valid for ${officialListDays} days. The same list is available at ${officialListPath}.`,
  access: anyone,
  output: z.object({
    /** The signed text. */
    document: z.string(),
    /** Ed25519 (RFC 8032), base64. */
    signature: z.string(),
    keyId: z.string(),
  }),
})
