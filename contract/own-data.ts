import * as z from 'zod/mini'
import { endpoint, member } from './endpoint.ts'
import { id, line, time } from './fields.ts'

export const versionLengthMax = 40
export const phraseLengthMax = 60

/** The documents that a member accepts. Their current versions are content. */
export const legalDocuments = ['terms', 'privacy'] as const
export type LegalDocument = (typeof legalDocuments)[number]

/** Where a consent was given: in the sign-up form, or in the account when a version had changed. */
export const consentPlaces = ['sign-up', 'account'] as const

const documentVersion = {
  document: z.enum(legalDocuments, 'one_of'),
  version: line(versionLengthMax).check(z.minLength(1, 'required')),
}

/** What somebody accepts: each document with the version that they were shown. */
export const consents = z
  .array(z.strictObject(documentVersion))
  .check(z.minLength(1, 'required'), z.maxLength(legalDocuments.length, 'too_many'))
export type Consent = z.infer<typeof consents>[number]

const bareAddress = /:\/\/|www\.|[\p{L}\p{N}-]\.\p{L}{2,}/iu
/** Marks that turn the direction of the text around them. */
const turningMarks = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Plain words without anything that a mail program makes a link of. Empty means none. */
export const phrase = line(phraseLengthMax).check(
  z.refine((value) => !bareAddress.test(value) && !turningMarks.test(value), 'invalid'),
)

const consentState = z.object({
  given: z.array(z.object({ ...documentVersion, at: time, place: z.enum(consentPlaces) })),
  /** Documents whose current version the member has not accepted. */
  due: z.array(z.object(documentVersion)),
})
export type ConsentState = z.infer<typeof consentState>

export const listConsents = endpoint('GET', 'members/consents', {
  about: 'Which versions of the terms of use and the privacy notice the member accepted, and which are due.',
  access: member,
  output: consentState,
})

export const giveConsents = endpoint('POST', 'members/consents', {
  about: 'Accept current versions. A version that is not the current one is a conflict and nothing is kept.',
  access: member,
  body: z.strictObject({ consents }),
  output: consentState,
  errors: ['conflict'],
})

const phraseOfMember = z.object({ phrase: z.string() })

export const getPhrase = endpoint('GET', 'members/phrase', {
  about: 'The words that every mail to the member carries, so that a forged one can be told. Empty: none.',
  access: member,
  output: phraseOfMember,
})

export const setPhrase = endpoint('POST', 'members/phrase', {
  about: 'Set, change or, with an empty one, remove the words that mails to the member carry.',
  access: member,
  body: z.strictObject({ phrase }),
  output: phraseOfMember,
})

/** What goes at once when a member is erased, as far as it is there. */
export const erasedThings = [
  'account',
  'sessions',
  'identity',
  'waitingPhotos',
  'ambassador',
  'workingCopies',
  'consents',
  'phrase',
  'mails',
] as const
/** What the law keeps, locked, until its date. */
export const keptThings = ['orders', 'identity', 'consents'] as const

export const kept = z.array(z.object({ what: z.enum(keptThings), until: time }))
export type Kept = z.infer<typeof kept>

export const previewErasure = endpoint('GET', 'members/erase', {
  about: 'What erasing oneself would erase at once, and what would be kept until when. Changes nothing.',
  access: member,
  output: z.object({
    id,
    erased: z.array(z.enum(erasedThings)),
    kept,
    /** The last administrator cannot leave. */
    isLastAdmin: z.boolean(),
  }),
})
