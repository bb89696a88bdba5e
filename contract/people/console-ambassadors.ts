import * as z from 'zod/mini'
import { ambassadorStates } from './ambassadors.ts'
import { assigneeFilter, colleague } from './assignment.ts'
import { bulk } from '../platform/bulk.ts'
import { DAY } from '../platform/durations.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, timeInput, id, language, line, text, time } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { noteLengthMax, notesOn, staffNote } from './staff-notes.ts'

/** `open`: received or in review. */
const applicationStates = [...ambassadorStates, 'open'] as const

/** `q` is a complete ID, or words from the name, email address, city, and country. */
const narrowing = {
  q: z.optional(line(200)),
  /** As returned by `listApplicationCountries`. */
  country: z.optional(line(100)),
  /** Language of the application. `language` is already used for the caller's own language. */
  sentIn: z.optional(language),
  assignee: assigneeFilter,
}
/** An open application older than this is flagged, because the confirmation email promises a decision by then. */
export const applicationWaitMax = 14 * DAY

/** An application in the list, with only the fields needed to identify it. */
export const listedApplication = z.object({
  id,
  fullName: z.string(),
  city: z.string(),
  country: z.string(),
  language,
  status: z.enum(ambassadorStates),
  createdAt: time,
  /** When it reached its current status. */
  stateAt: time,
  /** Send it back with a change, so that an outdated page cannot overwrite changes it has not shown. */
  lastUpdated: time,
  /** When it replaced an earlier application from the same address. */
  sentAgainAt: z.nullable(time),
  assignee: z.nullable(colleague),
  /** Whether another application has the same name, profile, or email address. */
  hasDuplicate: z.boolean(),
  waitsLong: z.boolean(),
  /** When the application is erased: if it was declined, or if it stays unanswered. */
  erasedAt: z.nullable(time),
  /** The ambassador created from it, or the earlier ambassadorship of its applicant. */
  ambassadorId: z.nullable(id),
})
export type ListedApplication = z.infer<typeof listedApplication>

/** Only the newest entries are shown. */
export const shownMax = 100

export const applicationStepKinds = ['in_review', 'assigned', 'released', 'accepted', 'declined'] as const

export const applicationStep = z.object({
  id,
  kind: z.enum(applicationStepKinds),
  at: time,
  by: z.nullable(z.string()),
  /** The new assignee. */
  to: z.nullable(z.string()),
})

const duplicateSigns = ['name', 'link', 'mailbox'] as const

/** Another application, and what both have in common. */
export const duplicateApplication = z.object({
  id,
  fullName: z.string(),
  city: z.string(),
  country: z.string(),
  status: z.enum(ambassadorStates),
  createdAt: time,
  by: z.array(z.enum(duplicateSigns)),
})
export type DuplicateApplication = z.infer<typeof duplicateApplication>
export const duplicatesMax = 20

export const applicationDetail = z.extend(listedApplication, {
  email: z.string(),
  /** The account with this address, if there is one. */
  memberId: z.nullable(id),
  socialMedia: z.array(z.string()),
  description: z.string(),
  /** Why it was declined. */
  reason: z.string(),
  isReasonTold: z.boolean(),
  /** Whether it can be erased: until the applicant joins as an ambassador. */
  isErasable: z.boolean(),
  notes: z.array(staffNote),
  /** Newest first. */
  steps: z.array(applicationStep),
  duplicates: z.array(duplicateApplication),
})
export type ApplicationDetail = z.infer<typeof applicationDetail>

/** A change of one application, which returns it as changed. */
const change = {
  access: staff('employee', 2),
  params: z.strictObject({ id }),
  output: applicationDetail,
  errors: ['not_found', 'conflict'],
} as const
const lastUpdated = timeInput
/** The applicant reads it in the decision email. */
const reason = text(noteLengthMax).check(z.trim(), z.minLength(1, 'required'))

export const ambassadorApplications = resource({
  path: 'admin/ambassador-applications',
  name: 'ambassadors',
  about:
    'List ambassador applications, filtered by search words, status, country, language, and assignee. The caller’s own application is excluded.',
  access: staff('employee', 1),
  auditsAccess: 'ambassador-application',
  row: listedApplication,
  filters: {
    ...narrowing,
    status: z.optional(z.enum(applicationStates, 'one_of')),
    sort: sortedBy('arrived', '-arrived', 'changed', '-changed'),
  },
  isPageFirst: true,
  palette: 'q',
  file: { about: 'Export the list of applications as CSV, all pages. Requires step-up authentication.' },
  detail: {
    about: 'Get one application with its history, notes, and possible duplicates.',
    output: applicationDetail,
  },
})
export const {
  list: listAmbassadorApplications,
  file: exportAmbassadorApplications,
  get: getAmbassadorApplication,
} = ambassadorApplications
export type ApplicationFilters = FiltersOf<typeof ambassadorApplications>

/** Counting stops here; higher counts are shown as “more than”. */
export const columnCountMax = 999

export const readApplicationBoard = endpoint('GET', 'admin/ambassador-applications/board', {
  about:
    'Get the first applications of each status. Open ones are sorted by waiting time, longest first; decided ones by date, newest first. Pass `next` to the list to continue.',
  access: staff('employee', 1),
  auditsAccess: 'ambassador-application',
  query: z.strictObject(narrowing),
  output: z.object({
    columns: z.array(
      z.object({
        status: z.enum(ambassadorStates),
        /** `columnCountMax` + 1 if there are more. */
        count: z.number(),
        rows: z.array(listedApplication),
        next: z.nullable(z.string()),
      }),
    ),
  }),
})
export type ApplicationBoard = z.infer<typeof readApplicationBoard.output>

/** The sort order in which the list continues after the end of a column. */
export const columnSorts = {
  received: 'arrived',
  in_review: 'arrived',
  accepted: '-changed',
  declined: '-changed',
} as const satisfies Record<(typeof ambassadorStates)[number], ApplicationFilters['sort']>

export const listApplicationCountries = endpoint('GET', 'admin/ambassador-applications/countries', {
  about:
    'List the countries of all applications, as ISO 3166-1 codes where the country was recognized, otherwise as typed.',
  access: staff('employee', 1),
  output: z.object({ countries: z.array(z.string()) }),
})

export const listApplicationColleagues = endpoint('GET', 'admin/ambassador-applications/colleagues', {
  about: 'List the staff members that an application can be assigned to.',
  access: staff('employee', 1),
  output: z.array(colleague),
})

export const reviewAmbassadorApplication = endpoint('POST', 'admin/ambassador-applications/:id/review', {
  about: 'Start the review of a received application. If it is unassigned, it is assigned to the caller.',
  ...change,
  body: z.strictObject({ lastUpdated }),
})

export const assignAmbassadorApplication = endpoint('POST', 'admin/ambassador-applications/:id/assign', {
  about: 'Assign an open application to a colleague, or unassign it.',
  ...change,
  body: z.strictObject({ to: z.nullable(id), lastUpdated }),
})

export const acceptAmbassadorApplication = endpoint('POST', 'admin/ambassador-applications/:id/accept', {
  about:
    'Accept an application that is in review. The applicant becomes an ambassador and is invited by email.',
  ...change,
  body: z.strictObject({ lastUpdated }),
})

const declining = { reason, isReasonTold: z.boolean() }

export const declineAmbassadorApplication = endpoint('POST', 'admin/ambassador-applications/:id/decline', {
  about: 'Decline an open application. The applicant gets an email, which includes the reason if requested.',
  ...change,
  body: z.strictObject({ ...declining, lastUpdated }),
})

export const declineAmbassadorApplications = bulk(
  declineAmbassadorApplication,
  'admin/ambassador-applications/bulk/decline',
  {
    about:
      'Decline up to 100 open applications with one reason, or preview that. Each applicant gets an email in the language of the application.',
    input: declining,
  },
)

export const assignAmbassadorApplications = bulk(
  assignAmbassadorApplication,
  'admin/ambassador-applications/bulk/assign',
  {
    about: 'Assign up to 100 open applications to a colleague, or unassign them, or preview that.',
    input: { to: assignAmbassadorApplication.body.shape.to },
  },
)

export const eraseAmbassadorApplication = endpoint('DELETE', 'admin/ambassador-applications/:id', {
  about:
    'Erase an application at the applicant’s request, along with the invitation that it led to. Once the applicant has joined as an ambassador, it is erased with the account instead.',
  ...change,
  output: done('erased'),
})

export const {
  add: addApplicationNote,
  remove: removeApplicationNote,
  readers: listApplicationReaders,
} = notesOn('admin/ambassador-applications', {
  access: change.access,
  output: applicationDetail,
  about: { add: 'The applicant’s data export includes it.' },
})
