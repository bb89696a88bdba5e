import * as z from 'zod/mini'
import { bulk } from '../platform/bulk.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, language, line, text, time } from '../platform/fields.ts'
import { languages, type Language } from '../platform/languages.ts'
import { resource } from '../platform/resource.ts'
import { screening } from './kyc-screening.ts'
import { kycApplication, kycHistory, kycStates, photoNumber, photoVerdicts } from './kyc.ts'
import { notesOn, notesOutput } from './staff-notes.ts'

const reasonLengthMax = 2000
export const privateNoteLengthMax = 5000

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

/** Fields entered by the applicant, which can differ between submissions. */
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
  /** The applicant has answered a request for more information, and a decision is pending. */
  isAnswered: z.boolean(),
  /** The reviewer assigned to the case. Nobody else can decide it. */
  assignee: officer,
  /** The first of the two reviewers that a final rejection requires. */
  finalProposedBy: officer,
  finalProposedAt: z.nullable(time),
  /** Why that reviewer proposes it. The applicant never sees it. */
  finalProposedReason: z.string(),
  /**
   * The applicant has deleted it, so none of the submitted data is left. If it was open, the proposal awaits a second
   * reviewer.
   */
  isDeleted: z.boolean(),
  /** The first of the two reviewers that the approval requires. */
  approvalProposedBy: officer,
  /** Whether it shares a picture or an address with another member's application. */
  hasDuplicates: z.boolean(),
  /** Number of similar entries on the screening lists; null before the first comparison. */
  possibleMatches: z.nullable(z.number()),
  /** When, and by whom, the current screening result was read. Required for an approval. */
  screeningReadAt: z.nullable(time),
  screeningReadBy: officer,
  /** Whether it shares data with an application with a final rejection, including those of erased members. */
  hasRefusal: z.boolean(),
  /** The first of the two reviewers that reversing a final rejection requires. */
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

/** An application with a final rejection, or with a proposal for one that its applicant then deleted. */
const refusal = z.object({
  id,
  at: time,
  isFinal: z.boolean(),
  why: z.array(z.enum(['document', 'ethAddress', 'btcAddress', 'email', 'nameAndBirth', 'name'])),
})

const round = z.object({
  handedInAt: time,
  /** The reviewer's request after this submission. */
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
  /** Refused and then replaced. It is kept as evidence but is not part of the decision. */
  isReplaced: z.boolean(),
})

export const kycCaseDetail = z.extend(kycCase, {
  ...notesOutput.shape,
  photos: z.array(casePhoto),
  history: kycHistory,
  duplicates: z.array(duplicate),
  screening,
  refusals: z.array(refusal),
  /** Submissions and the requests that followed, oldest first. */
  rounds: z.array(round),
  /** Language of the emails to the applicant and of the reasons they read. */
  memberLanguage: language,
  /**
   * Whether an approval requires a second reviewer, because submitted data also appeared in an application with a
   * final rejection.
   */
  approvalTakesTwo: z.boolean(),
  /** The caller rejected that application, so others must approve this one. */
  isApprovalBarred: z.boolean(),
  /**
   * The caller's own application received a final rejection and shares strong evidence with this one, so others must
   * handle it.
   */
  isBarred: z.boolean(),
  /** Whether a final rejection requires a second reviewer. */
  isFourEyesRequired: z.boolean(),
})
export type KycCaseDetail = z.infer<typeof kycCaseDetail>

const caseEvent = z.object({
  at: time,
  what: z.enum(caseEvents),
  /** The reviewer's name. Empty if the applicant did it, or for automatic actions. */
  by: z.string(),
  /** The status after the step. */
  to: z.nullable(z.enum(kycStates)),
  reason: z.string(),
  photo: z.nullable(z.number()),
})
export type CaseEvent = z.infer<typeof caseEvent>

const caseParams = z.strictObject({ id })
const reason = z.optional(text(reasonLengthMax))
const note = z.optional(text(privateNoteLengthMax))

/**
 * Cases with a potential match on a screening list, that share data with an application with a final rejection, that
 * were sent back to the applicant and answered, or that await a second approval by someone other than the author of
 * the proposal.
 */
export const caseFlags = ['possible_match', 'refused_before', 'answered', 'second_person'] as const
export type CaseFlag = (typeof caseFlags)[number]

/** Always longest waiting first, so that every case is eventually reviewed. */
export const kycCases = resource({
  path: 'admin/kyc/cases',
  name: 'identity',
  about:
    'List the review queue, longest waiting first, filtered by status, assignee, words from the name or email address, the beginning of an address, or an ID.',
  access: staff('finance', 1),
  auditsAccess: 'kyc',
  row: kycCase,
  filters: {
    /** `waiting`: cases that need action from a reviewer. */
    status: z.optional(z.enum([...kycStates, 'waiting'], 'one_of')),
    /** `available`: unassigned, and not proposed by the caller, whose proposal needs someone else's approval. */
    assignee: z.optional(z.enum(['me', 'nobody', 'available'], 'one_of')),
    q: z.optional(line(200)),
    olderThanHours: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(100_000))),
    flag: z.optional(z.enum(caseFlags, 'one_of')),
  },
  defaults: { status: 'waiting' },
  isPageFirst: true,
  palette: 'q',
})
export const { list: listKycCases } = kycCases

export const readKycStatistics = endpoint('GET', 'admin/kyc/statistics', {
  about: 'Get the number and age of waiting cases, and the decisions of the last 30 days.',
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

const localizedReason = z.object({ label: z.string(), text: z.string() })
const kycReason = z.object({
  id: z.string(),
  for: z.array(z.enum(reasonUses)),
  ...(Object.fromEntries(languages.map((each) => [each, localizedReason])) as Record<
    Language,
    typeof localizedReason
  >),
})
export type KycReason = z.infer<typeof kycReason>

export const listKycReasons = endpoint('GET', 'admin/kyc/reasons', {
  about: 'List the reasons that reviewers can give applicants, in every language.',
  access: staff('finance', 1),
  output: z.array(kycReason),
})

export const getKycCase = endpoint('GET', 'admin/kyc/cases/:id', {
  about:
    'Get one case with the status of its documents, its history, possible duplicates, and screening. Access is recorded in the audit log.',
  access: staff('finance', 1),
  auditsItself: 'kyc',
  params: caseParams,
  output: kycCaseDetail,
  errors: ['not_found'],
})

export const listKycCaseEvents = endpoint('GET', 'admin/kyc/cases/:id/events', {
  about: 'List the actions taken on a case and the people who viewed it, newest first.',
  access: staff('finance', 1),
  params: caseParams,
  output: z.array(caseEvent),
  errors: ['not_found'],
})

export const assignKycCase = endpoint('POST', 'admin/kyc/cases/:id/assign', {
  about:
    'Assign a case to the caller, or unassign it. A case that is assigned to someone else is reassigned only if the request says so.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ to: z.enum(['me', 'nobody'], 'one_of'), takeOver: z.optional(z.boolean()) }),
  output: kycCase,
  errors: ['not_found', 'conflict'],
})

export const assignKycCases = bulk(assignKycCase, 'admin/kyc/cases/bulk/assign', {
  about: 'Assign several cases to the caller, or unassign them, or preview what would happen to each.',
  input: assignKycCase.body.shape,
})

export const reviewKycPhoto = endpoint('POST', 'admin/kyc/cases/:id/photos/:n', {
  about:
    'Accept or refuse one document. The applicant sees the reason; the note is private. Before the verdict `accepted` or `refused`, the reviewer must have fetched the picture (kyc/{id}/photos/{n}) in the current submission.',
  access: staff('finance', 2),
  params: z.strictObject({ id, n: photoNumber }),
  body: z.strictObject({
    verdict: z.enum(photoVerdicts, 'one_of'),
    /** The submission that the reviewer has read. No decision is made if a newer one has arrived. */
    round: z.int(),
    reason,
    note,
  }),
  output: casePhoto,
  errors: ['not_found', 'conflict', 'photo_unseen'],
})

export const readKycScreening = endpoint('POST', 'admin/kyc/cases/:id/screening', {
  about:
    'Mark the screening result of a case as read, by its hash. If the result has changed in the meantime, the response is `conflict` and the new result must be read. If the screening list cannot be read, the response is `unavailable`.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ hash: line(64) }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'unavailable'],
})

export const decideKycCase = endpoint('POST', 'admin/kyc/cases/:id/decide', {
  about:
    'Decide a case that is assigned to the caller or unassigned. An approval requires that all photos are accepted and the screening result is read. If four-eyes approval is required, a final rejection needs a second reviewer, and the first call creates a proposal. The same applies to approving a case that shares data with an application with a final rejection; the reviewer who rejected that application gets `forbidden`. Reviewers whose own application received a final rejection get `forbidden` for every decision on a case that shares strong evidence with it. A first approval counts for 30 days, while its author holds the required right. `withdrawn` revokes an approval.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({
    status: z.enum(['in_review', 'approved', 'rejected', 'more_info', 'withdrawn'], 'one_of'),
    isFinal: z.optional(z.boolean()),
    /** The submission that the reviewer has read. No decision is made if a newer one has arrived. */
    round: z.optional(z.int()),
    reason,
    note,
  }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'step_up_required', 'photos_unjudged', 'screening_unread', 'unavailable'],
})

export const reverseKycRejection = endpoint('POST', 'admin/kyc/cases/:id/lift', {
  about:
    'Reverse a final rejection, so that the member can apply again. If two reviewers made the decision, two others must reverse it, and the first call creates a proposal. If the application was deleted, a second reviewer dismisses the unconfirmed proposal. With `isTakenBack`, reviewers withdraw their own proposal without giving a reason.',
  access: staff('finance', 2),
  params: caseParams,
  body: z.strictObject({ reason, isTakenBack: z.optional(z.boolean()) }),
  output: kycCase,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const {
  add: addKycCaseNote,
  remove: removeKycCaseNote,
  readers: listKycCaseReaders,
} = notesOn('admin/kyc/cases', {
  access: staff('finance', 2),
  output: notesOutput,
  about: { add: 'The data export of the applicant does not include it.' },
})
