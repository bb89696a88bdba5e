import * as z from 'zod/mini'
import { endpoint, member } from '../platform/endpoint.ts'
import { line, time } from '../platform/fields.ts'

const versionLengthMax = 40

/** The documents that a member accepts. Their current versions are set in the content. */
export const legalDocuments = ['terms', 'privacy'] as const
export type LegalDocument = (typeof legalDocuments)[number]

/** A version is named by its date. A second one on the same day is `2026-11-22.2`. */
export const dayOfVersion = (version: string): string => version.slice(0, 10)

/** Where consent was given: in the sign-up form, or in the account after a version changed. */
export const consentPlaces = ['sign-up', 'account'] as const

const documentVersion = {
  document: z.enum(legalDocuments, 'one_of'),
  version: line(versionLengthMax).check(z.minLength(1, 'required')),
}

/** The accepted documents, each with the version that was shown. */
export const consents = z
  .array(z.strictObject(documentVersion))
  .check(z.minLength(1, 'required'), z.maxLength(legalDocuments.length, 'too_many'))
export type Consent = z.infer<typeof consents>[number]

const consentState = z.object({
  given: z.array(z.object({ ...documentVersion, at: time, place: z.enum(consentPlaces) })),
  /** Documents whose current version the member has not accepted. */
  due: z.array(z.object(documentVersion)),
})
export type ConsentState = z.infer<typeof consentState>

export const listConsents = endpoint('GET', 'members/consents', {
  about:
    'List the versions of the terms of use and the privacy notice that the member accepted, and those that still need to be accepted.',
  access: member,
  output: consentState,
})

export const acceptConsents = endpoint('POST', 'members/consents', {
  about:
    'Accept the current versions. If a version is not the current one, nothing is stored and the response is `conflict`.',
  access: member,
  body: z.strictObject({ consents }),
  output: consentState,
  errors: ['conflict'],
})
