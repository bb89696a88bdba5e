import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { id, language, line, page, text, time } from './fields.ts'
import { languages, type Language } from './languages.ts'
import { screening } from './kyc-screening.ts'
import { kycApplication, kycHistory, kycStates, photoNumber, photoVerdicts } from './kyc.ts'

export const reasonLengthMax = 2000
export const noteLengthMax = 5000

export const caseEvents = [
  'submitted',
  'step',
  'taken',
  'taken_over',
  'given_back',
  'photo_accepted',
  'photo_refused',
  'screening_read',
  'approval_proposed',
  'final_proposed',
  'lift_proposed',
  'lift_taken_back',
  'lifted',
  'refusal_shared',
  'noted',
  'viewed',
  'photo_viewed',
  'exported',
  'photos_destroyed',
] as const

/** Fields entered by the applicant, which can differ between rounds. */
export const applicantEntries = [
  'fullName',
  'lastName',
  'country',
  'dateOfBirth',
  'email',
  'ethAddress',
  'btcAddress',
] as const

const officer = z.nullable(z.object({ id, name: z.string() }))

export const kycCase = z.extend(kycApplication, {
  /** Hours since the first submission, up to the decision if there is one. */
  ageHours: z.number(),
  /** The applicant has answered a request for more, and the answer waits for a decision. */
  isAnswered: z.boolean(),
  /** The officer assigned to the case. Nobody else can decide it. */
  assignee: officer,
  /** The first of the two officers that a final refusal requires. */
  finalProposedBy: officer,
  finalProposedAt: z.nullable(time),
  /** Why that officer proposes it. The applicant never sees it. */
  finalProposedReason: z.string(),
  /**
   * The applicant has deleted it, so none of the submitted data is left. If it was open, the proposal awaits a
   * second officer.
   */
  isDeleted: z.boolean(),
  /** The first of the two officers that the approval requires. */
  approvalProposedBy: officer,
  /** Whether it shares a picture or an address with another member's application. */
  hasDuplicates: z.boolean(),
  /** Number of similar entries on the screening lists; null before the first comparison. */
  possibleMatches: z.nullable(z.number()),
  /** When, and by whom, the current screening result was read. Required for an approval. */
  screeningReadAt: z.nullable(time),
  screeningReadBy: officer,
  /** Whether it shares data with a finally refused application, including those of erased members. */
  hasRefusal: z.boolean(),
  /** The first of the two officers required to lift a final refusal. */
  liftProposedBy: officer,
})
export type KycCase = z.infer<typeof kycCase>

const duplicate = z.object({
  id,
  name: z.string(),
  memberId: id,
  status: z.enum(kycStates),
  createdAt: time,
  why: z.array(z.enum(['document', 'ethAddress', 'btcAddress', 'email'])),
})

/** An application that was finally refused, or was proposed for it and then deleted by its applicant. */
const refusal = z.object({
  id,
  at: time,
  isFinal: z.boolean(),
  why: z.array(z.enum(['document', 'ethAddress', 'btcAddress', 'email', 'nameAndBirth', 'name'])),
})

const round = z.object({
  handedInAt: time,
  /** The officer's request after this round. */
  asked: z.nullable(z.object({ at: time, by: z.string(), reason: z.string() })),
  /** Earlier values of the entries that the applicant changed in the answer. */
  earlier: z.array(z.object({ field: z.enum(applicantEntries), value: z.string() })),
})

const casePhoto = z.object({
  n: z.number(),
  bytes: z.number(),
  verdict: z.enum(photoVerdicts),
  reason: z.string(),
  note: z.string(),
  round: z.number(),
  /** Refused and then replaced: kept as evidence, but not part of the decision. */
  isReplaced: z.boolean(),
})

export const kycCaseDetail = z.extend(kycCase, {
  photos: z.array(casePhoto),
  history: kycHistory,
  duplicates: z.array(duplicate),
  screening,
  refusals: z.array(refusal),
  /** Submissions and the requests that followed, oldest first. */
  rounds: z.array(round),
  /** Language of the applicant's emails and reasons. */
  memberLanguage: language,
  /**
   * Whether an approval requires a second officer, because submitted data also appeared in a finally refused
   * application.
   */
  approvalTakesTwo: z.boolean(),
  /** The reading officer refused that application, so others must approve this one. */
  isApprovalBarred: z.boolean(),
  /**
   * A finally refused application of the reading officer shares strong evidence with this one, so others must
   * handle it.
   */
  isBarred: z.boolean(),
  /** Whether a final refusal requires a second officer. */
  isFourEyesRequired: z.boolean(),
})
export type KycCaseDetail = z.infer<typeof kycCaseDetail>

const caseEvent = z.object({
  at: time,
  what: z.enum(caseEvents),
  /** The officer's name; empty if the applicant or the program did it. */
  by: z.string(),
  /** The state after the step. */
  to: z.nullable(z.enum(kycStates)),
  reason: z.string(),
  photo: z.nullable(z.number()),
})
export type CaseEvent = z.infer<typeof caseEvent>

const caseParams = z.strictObject({ id })
const reason = z.optional(text(reasonLengthMax))
const note = z.optional(text(noteLengthMax))

export const listKycCases = endpoint('GET', 'admin/kyc/cases', {
  about:
    'The queue: the longest waiting first, by state, by who has taken it, by words of name and e-mail, the beginning of an address, or an id.',
  access: staff('finance', 1),
  recordsReading: 'kyc',
  query: z.extend(page, {
    /** `waiting`: cases that need action from an officer. */
    status: z.optional(z.enum([...kycStates, 'waiting'], 'one_of')),
    /** `available`: assigned to nobody, and not proposed by the caller, whose proposal needs someone else's approval. */
    assignee: z.optional(z.enum(['me', 'nobody', 'available'], 'one_of')),
    q: z.optional(line(200)),
    olderThanHours: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(100_000))),
    /**
     * Cases with a possible match on a screening list, or that share data with a finally refused application.
     */
    flag: z.optional(z.enum(['possible_match', 'refused_before'], 'one_of')),
  }),
  output: z.array(kycCase),
})

export const readKycStatistics = endpoint('GET', 'admin/kyc/statistics', {
  about: 'What waits and for how long, and what was decided in the last 30 days.',
  access: staff('finance', 1),
  output: z.object({
    waiting: z.record(z.enum(['submitted', 'in_review', 'more_info']), z.number()),
    oldestHours: z.nullable(z.number()),
    decided: z.record(z.enum(['approved', 'rejected', 'expired', 'withdrawn']), z.number()),
    medianHours: z.nullable(z.number()),
    usualHours: z.nullable(z.number()),
  }),
})

/** The uses of a standard reason. */
export const reasonUses = ['photo', 'more_info', 'rejected', 'final'] as const
export type ReasonUse = (typeof reasonUses)[number]

const spokenReason = z.object({ label: z.string(), text: z.string() })
const kycReason = z.object({
  id: z.string(),
  for: z.array(z.enum(reasonUses)),
  ...(Object.fromEntries(languages.map((each) => [each, spokenReason])) as Record<
    Language,
    typeof spokenReason
  >),
})
export type KycReason = z.infer<typeof kycReason>

export const listKycReasons = endpoint('GET', 'admin/kyc/reasons', {
  about: 'The texts that officers give applicants as reasons, in every language.',
  access: staff('finance', 1),
  output: z.array(kycReason),
})

export const getKycCase = endpoint('GET', 'admin/kyc/cases/:id', {
  about:
    'One case with its documents’ states, history, duplicates and screening. The view is written to the audit log.',
  access: staff('finance', 1),
  recordsItself: 'kyc',
  params: caseParams,
  output: kycCaseDetail,
  errors: ['not_found'],
})

export const listKycCaseEvents = endpoint('GET', 'admin/kyc/cases/:id/events', {
  about: 'What has happened to a case and who has looked at it, the newest first.',
  access: staff('finance', 1),
  params: caseParams,
  output: z.array(caseEvent),
  errors: ['not_found'],
})

export const assignKycCase = endpoint('POST', 'admin/kyc/cases/:id/assign', {
  about:
    'Take a case, or give it back. One that somebody else has taken is taken over only where that is said.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ to: z.enum(['me', 'nobody'], 'one_of'), takeOver: z.optional(z.boolean()) }),
  output: kycCase,
  errors: ['not_found', 'conflict'],
})

export const reviewKycPhoto = endpoint('POST', 'admin/kyc/cases/:id/photos/:n', {
  about:
    'Decide on one document: the reason is shown to the member, the note is private. Before `accepted` or `refused` its picture was sent to this officer (kyc/{id}/photos/{n}) in the round that the case is in.',
  access: staff('finance', 2),
  params: z.strictObject({ id, n: photoNumber }),
  body: z.strictObject({
    verdict: z.enum(photoVerdicts, 'one_of'),
    /** The round that the officer has read. No decision is made if a newer one has arrived. */
    round: z.int(),
    reason,
    note,
  }),
  output: casePhoto,
  errors: ['not_found', 'conflict', 'photo_unseen'],
})

export const readKycScreening = endpoint('POST', 'admin/kyc/cases/:id/screening', {
  about:
    'Mark the screening of a case as read, by its hash. Where something else is found meanwhile, that has to be read: `conflict`. While the list cannot be read, `unavailable`.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ hash: line(64) }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'unavailable'],
})

export const decideKycCase = endpoint('POST', 'admin/kyc/cases/:id/decide', {
  about:
    'Decide a case that is assigned to oneself or to nobody. An approval takes every photo accepted and the screening read. A final refusal takes a second officer, where the installation asks for four eyes: the first call proposes it. So does an approval that shares something with a final refusal; whoever decided that is `forbidden` to approve. Whose own application was refused for good and shares something telling with the case is `forbidden` to work on it at all. A first voice counts for 30 days, and while its officer has the right. `withdrawn` ends an approval.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({
    status: z.enum(['in_review', 'approved', 'rejected', 'more_info', 'withdrawn'], 'one_of'),
    isFinal: z.optional(z.boolean()),
    /** The round that the officer has read. No decision is made if a newer one has arrived. */
    round: z.optional(z.int()),
    reason,
    note,
  }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'step_up_required', 'photos_unjudged', 'screening_unread', 'unavailable'],
})

export const liftKycRefusal = endpoint('POST', 'admin/kyc/cases/:id/lift', {
  about:
    'Undo a final refusal, so that its member may apply again. What two officers decided takes two others: the first call proposes it. Of a deleted application, a proposal that was not confirmed is dropped by a second officer. With `isTakenBack` an officer takes the own proposal back, without a reason.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ reason, isTakenBack: z.optional(z.boolean()) }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
