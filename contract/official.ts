import * as z from 'zod/mini'
import { anyone, endpoint, member } from './endpoint.ts'
import { id, time } from './fields.ts'

/** More than any address, and less than a whole mail: one thing is asked about at a time. */
export const pastedLengthMax = 2000

/** What a thing can be that is known as ours, or as false. A `domain` is all that is below it as well. */
export const knownKinds = ['domain', 'link', 'email', 'handle', 'phone', 'coin'] as const
export type KnownKind = (typeof knownKinds)[number]

/** What was pasted, as it was read. */
export const pastedKinds = ['link', 'email', 'handle', 'phone', 'coin', 'text'] as const
export type PastedKind = (typeof pastedKinds)[number]

/** What a thing of ours is for. `added`: entered in the console, with a name of its own. */
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
/** The parts of the brand that the official list is made of. Publishing a change of them takes the right to change that list. */
export const officialBrandParts = ['email', 'phone', 'links', 'social'] as const

export type OfficialRole = (typeof officialRoles)[number]

/** Tricks, and likeness to something of ours. One of them is enough for nothing to be called ours. */
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
/** What is said besides. */
export const remarks = [
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
export const officialSigns = [...disguises, ...remarks] as const
export type OfficialSign = (typeof officialSigns)[number]

export const verdicts = ['official', 'false', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

export const officialAnswer = z.object({
  verdict: z.enum(verdicts),
  kind: z.enum(pastedKinds),
  /** What was pasted, with signs that nobody sees written out, and cut where it is long. */
  shown: z.string(),
  /** The host that a browser would go to, or a mail; null where there is none. */
  leadsTo: z.nullable(z.string()),
  /** Whether it does as if it were ours, or hides what it is. */
  isDisguised: z.boolean(),
  /** What of ours it is. */
  official: z.nullable(z.object({ role: z.enum(officialRoles), name: z.string(), value: z.string() })),
  /** What it is known as, and since when. */
  known: z.nullable(z.object({ value: z.string(), note: z.string(), since: time })),
  /** What was seen, the gravest first. `detail` is of what was pasted, `ours` what it is like. */
  signs: z.array(z.object({ sign: z.enum(officialSigns), detail: z.string(), ours: z.string() })),
})
export type OfficialAnswer = z.infer<typeof officialAnswer>

/** What came of a form that was sent without script: the answer, or the sentence that says why there is none. */
export type PostedCheck = { answer: OfficialAnswer } | { problem: string; text: string }

const pasted = z.strictObject({
  text: z.string().check(
    z.refine((text) => text.trim() !== '', 'required'),
    z.maxLength(pastedLengthMax, 'too_long'),
  ),
})

/** Not stored, and in no log: the body alone has it. */
export const checkOfficial = endpoint('POST', 'official/check', {
  about:
    'Whether an address, link, e-mail, handle, phone number or coin address belongs to the project, is known as false, or unknown, with what was seen. Nothing of it is kept.',
  access: anyone,
  body: pasted,
  output: officialAnswer,
})

export const ownOrderFound = z.object({
  orderId: id,
  reference: z.string(),
  /** Whether the order still waits for its payment there. */
  isOpen: z.boolean(),
  /** Not the address of the order, only like it. */
  isAlike: z.boolean(),
})
export type OwnOrderFound = z.infer<typeof ownOrderFound>

/** Compared with the caller's own orders only, so that it says nothing about anybody else's. Nothing of the text is kept. */
export const findOwnOrderByAddress = endpoint('POST', 'official/own-order', {
  about:
    'Which of one’s own orders is paid to a receiving address, or has one that looks like it. Nothing of it is kept.',
  access: member,
  body: pasted,
  output: z.object({ order: z.nullable(ownOrderFound) }),
})

/**
 * The text that is signed: a JSON text, its UTF-8 bytes. Of receiving addresses it has the SHA-256 of the canonical form only:
 * whoever was given one can compare it, and nobody learns one without an order.
 */
export const officialDocument = z.strictObject({
  list: z.literal('official'),
  site: z.string(),
  issuedAt: time,
  expiresAt: time,
  entries: z.array(
    z.strictObject({
      kind: z.enum(knownKinds),
      role: z.enum(officialRoles),
      name: z.string(),
      /** Empty where `sha256` stands for it. */
      value: z.string(),
      sha256: z.optional(z.string()),
    }),
  ),
})
export type OfficialDocument = z.infer<typeof officialDocument>

export const officialListDays = 7
export const officialListPath = '/.well-known/official.json'

export const readOfficialList = endpoint('GET', 'official/list', {
  about: `What belongs to the project, signed with the key of the posts and valid for ${officialListDays} days. The same stands at ${officialListPath}.`,
  access: anyone,
  output: z.object({
    /** The signed text. */
    document: z.string(),
    /** Ed25519 (RFC 8032), base64. */
    signature: z.string(),
    keyId: z.string(),
  }),
})
