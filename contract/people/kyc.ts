import * as z from 'zod/mini'
import { DAY } from '../platform/durations.ts'
import { endpoint, member, selfOrStaff, staff } from '../platform/endpoint.ts'
import {
  birthDate,
  birthDateOrNone,
  chainAddress,
  done,
  email,
  emailOrNone,
  id,
  line,
  MIB,
  page,
  requiredLine,
  text,
  time,
} from '../platform/fields.ts'

export const photosMax = 8
export const photoBytesMax = 10 * MIB
/** Minimum size of a legible document, in pixels of the longer and the shorter side. */
export const photoPixelsMin = { long: 600, short: 400 }
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic'] as const
export const defaultEventId = 'TGE001'

/** How long before an approval expires the member is asked to verify their identity again. */
export const renewalTime = 30 * DAY

export const kycStates = [
  'submitted',
  'in_review',
  'approved',
  'rejected',
  'more_info',
  'expired',
  'withdrawn',
] as const
export type KycState = (typeof kycStates)[number]
/**
 * Status of a member's identity: `approved` while an approval is valid, otherwise the status of the newest application,
 * or `none`.
 */
export const kycState = z.enum(['none', ...kycStates])

export const kycApplication = z.object({
  _id: id,
  memberId: id,
  /** The full name. */
  firstName: z.string(),
  lastName: z.string(),
  country: z.string(),
  /** Such as `2000-12-31`; empty if it was not asked for. */
  dateOfBirth: z.string(),
  email: z.string(),
  ethAddress: z.string(),
  btcAddress: z.string(),
  eventId: z.string(),
  status: z.enum(kycStates),
  reason: z.string(),
  photoCount: z.number(),
  /** Number of submissions. Answering a request for more information is another submission of the same application. */
  round: z.number(),
  /** A final rejection, after which no further application is accepted. */
  isFinal: z.boolean(),
  createdAt: time,
  updatedAt: time,
  decidedAt: z.nullable(time),
  /** Visible to staff, never to the member. */
  note: z.optional(z.string()),
})
export type KycApplication = z.infer<typeof kycApplication>

export const photoVerdicts = ['open', 'accepted', 'refused'] as const

export const kycHistory = z.object({
  steps: z.array(
    z.object({ at: time, from: z.nullable(z.enum(kycStates)), to: z.enum(kycStates), reason: z.string() }),
  ),
  /** The review result of each document. A refused one is `isReplaced` once the applicant has answered. */
  photos: z.array(
    z.object({
      n: z.number(),
      verdict: z.enum(photoVerdicts),
      reason: z.string(),
      round: z.number(),
      isReplaced: z.boolean(),
    }),
  ),
  views: z.array(
    z.object({
      at: time,
      /** The display name of the viewer; empty if there is none. */
      by: z.string(),
      what: z.enum(['record', 'photo']),
    }),
  ),
  /**
   * 90th percentile of the decision time in the last 90 days, in hours; null if there are too few decisions.
   */
  usualHours: z.nullable(z.number()),
  /** Proof that the photos were deleted: the audit log entry and its hash in the chain (SHA-256, hex). */
  receipt: z.nullable(z.object({ at: time, entry: z.number(), hash: z.string() })),
})
export type KycHistory = z.infer<typeof kycHistory>

/** The number of a photo in its application. Photos of earlier submissions keep their numbers. */
export const photoNumber = z.coerce.number().check(z.int(), z.gte(0), z.lt(1000))

const dataUrlMax = Math.ceil((photoBytesMax * 4) / 3) + 100

/** A base64 data URL. Its bytes are checked by decoding them; the declared type is ignored. */
export const photo = z
  .string()
  .check(z.regex(/^data:[a-z]+\/[a-z0-9.+-]+;base64,/i, 'picture'), z.maxLength(dataUrlMax, 'too_long'))

/** Prefix that refers to a pending upload in `photoUrls`. */
export const stagedPrefix = 'staged:'
const photoOrStaged = z
  .string()
  .check(
    z.regex(/^(data:[a-z]+\/[a-z0-9.+-]+;base64,|staged:[a-z0-9-]{1,64}$)/i, 'picture'),
    z.maxLength(dataUrlMax, 'too_long'),
  )

/** The API has three names for the Ethereum address, which is stored in one column. */
const applicantFields = {
  firstName: z.optional(requiredLine(200)),
  fullName: z.optional(requiredLine(200)),
  lastName: z.optional(line(200)),
  country: z.optional(line(100)),
  /** Required by the form, but not part of the payload in the specification. */
  dateOfBirth: z.optional(birthDate),
  email: z.optional(email),
  btcAddress: z.optional(chainAddress),
  ethAddress: z.optional(chainAddress),
  ethAdd: z.optional(chainAddress),
  ETHadd: z.optional(chainAddress),
}

/**
 * The other fields of the record in the specification. The server reads only `photoUrls`, `memberId`, and `eventId`.
 */
const recordFields = {
  photoUrls: z.array(photoOrStaged).check(z.minLength(1, 'required'), z.maxLength(photosMax, 'too_many')),
  photoUrl: z.optional(z.unknown()),
  photoId: z.optional(z.unknown()),
  eventId: z.optional(line(40)),
  memberId: z.optional(id),
}

/**
 * Fields of a record that is sent back as it was read. `round` is the submission that the reviewer has read; `isFinal`
 * is changed elsewhere.
 */
const answeredFields = {
  firstName: z.optional(line(200)),
  dateOfBirth: z.optional(birthDateOrNone),
  email: z.optional(emailOrNone),
  photoCount: z.optional(z.unknown()),
  round: z.optional(z.int()),
  isFinal: z.optional(z.boolean()),
  createdAt: z.optional(z.unknown()),
  updatedAt: z.optional(z.unknown()),
  decidedAt: z.optional(z.unknown()),
}

export const readKycRequirements = endpoint('GET', 'kyc/requirements', {
  about: 'Get the requirements for applicants, so that a form can show them before any photo is uploaded.',
  access: member,
  output: z.object({ ageMin: z.int() }),
})

export const createKyc = endpoint('POST', 'kyc/create', {
  about:
    'Submit an identity application. Pictures are decoded, re-encoded, and stored encrypted. If more information was requested, the request answers it within the same application.',
  access: member,
  status: 201,
  bodyBytesMax: 90 * MIB,
  // `photoUrl` repeats the last entry of `photoUrls`.
  acceptsFiles: { countMax: photosMax + 1, bytesMax: photoBytesMax },
  body: z.strictObject({
    ...applicantFields,
    email,
    ...recordFields,
    status: z.optional(z.unknown()),
  }),
  output: kycApplication,
  errors: ['conflict', 'step_up_required'],
})

export const stagedPhoto = z.object({ id, bytes: z.number() })

export const stageKycPhoto = endpoint('POST', 'kyc/photos', {
  about:
    'Upload one photo before its application, which then refers to it as `staged:` followed by its ID. It is checked in the same way as in kyc/create and kept for two hours.',
  access: member,
  status: 201,
  bodyBytesMax: 15 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: photoBytesMax },
  body: z.strictObject({ photo }),
  output: stagedPhoto,
})

export const listStagedKycPhotos = endpoint('GET', 'kyc/photos', {
  about: 'List the caller’s pending uploads, newest first. If there were too many, the oldest were deleted.',
  access: member,
  output: z.array(z.object({ id, at: time, bytes: z.number() })),
})

export const getStagedKycPhoto = endpoint('GET', 'kyc/photos/:id', {
  about: 'Get one of the caller’s pending uploads, as stored.',
  access: member,
  params: z.strictObject({ id }),
  output: z.unknown(),
  returnsBytes: true,
  errors: ['not_found'],
})

export const deleteKycPhoto = endpoint('DELETE', 'kyc/photos/:id', {
  about: 'Delete one of the caller’s pending uploads.',
  access: member,
  params: z.strictObject({ id }),
  output: done('dropped'),
  errors: ['not_found'],
})

export const getKycHistory = endpoint('GET', 'kyc/:id/history', {
  about: 'Get the history of an application, and the staff members who viewed it.',
  access: selfOrStaff('finance', 1),
  params: z.strictObject({ id }),
  /** When the approval expires; null if it does not expire or there is none. */
  output: z.extend(kycHistory, { validUntil: z.nullable(time) }),
  errors: ['not_found'],
})

export const getKyc = endpoint('GET', 'kyc/:id', {
  about: 'Get one application, without its pictures.',
  access: selfOrStaff('finance', 1),
  auditsItself: 'kyc',
  params: z.strictObject({ id }),
  output: kycApplication,
  errors: ['not_found'],
})

export const getKycPhoto = endpoint('GET', 'kyc/:id/photos/:n', {
  about: 'Get one picture of an application. Access is recorded in the audit log.',
  access: staff('finance', 1),
  auditsItself: 'kyc',
  params: z.strictObject({ id, n: photoNumber }),
  output: z.unknown(),
  returnsBytes: true,
  errors: ['not_found'],
})

export const listKyc = endpoint('GET', 'kyc/', {
  about: 'List all applications without pictures, newest first.',
  access: staff('finance', 1),
  auditsAccess: 'kyc',
  query: page,
  output: z.array(kycApplication),
})

export const listKycOfMember = endpoint('POST', 'kyc/', {
  about: 'List the applications of one member.',
  access: selfOrStaff('finance', 1),
  inMaintenance: 'reads',
  auditsAccess: 'kyc',
  query: page,
  body: z.strictObject({ memberId: id }),
  output: z.array(kycApplication),
})

export const findKyc = endpoint('POST', 'kyc/find', {
  about: 'Find the applications that match all given fields. Members only find their own.',
  access: selfOrStaff('finance', 1),
  inMaintenance: 'reads',
  auditsAccess: 'kyc',
  query: page,
  body: z.strictObject({
    memberId: z.optional(id),
    email: z.optional(email),
    ETHadd: z.optional(chainAddress),
  }),
  output: z.array(kycApplication),
})

export const updateKyc = endpoint('POST', 'kyc/update', {
  about:
    'Decide an application (finance), or answer a request for more information with the full record (the applicant, while the status is `more_info`). Accepted photos are kept; refused ones must be replaced in `photoUrls`. If the status is unchanged, a reviewer only updates the note.',
  access: selfOrStaff('finance', 2),
  bodyBytesMax: 90 * MIB,
  acceptsFiles: { countMax: photosMax + 1, bytesMax: photoBytesMax },
  body: z.strictObject({
    _id: z.optional(id),
    id: z.optional(id),
    ...applicantFields,
    ...recordFields,
    ...answeredFields,
    photoUrls: z.optional(z.array(photoOrStaged).check(z.maxLength(photosMax, 'too_many'))),
    status: z.optional(z.enum(kycStates, 'one_of')),
    reason: z.optional(text(2000)),
    note: z.optional(text(5000)),
  }),
  output: kycApplication,
  errors: ['not_found', 'conflict', 'step_up_required', 'photos_unjudged', 'screening_unread', 'unavailable'],
})

export const deleteKyc = endpoint('POST', 'kyc/delete', {
  about:
    'Delete the documents of an application; a stub with its dates is kept. After a final rejection, the decision and its fingerprints are kept as well, and only the applicant can delete the rest. If a reviewer deletes it, the applicant is notified by email, and the reason is kept for reviewers.',
  access: selfOrStaff('finance', 2),
  body: z.strictObject({ id, reason: z.optional(text(2000)) }),
  output: done('deleted'),
  errors: ['not_found', 'conflict'],
})
