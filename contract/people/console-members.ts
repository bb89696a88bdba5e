import * as z from 'zod/mini'
import { bulk } from '../platform/bulk.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import {
  day,
  done,
  email,
  id,
  language,
  line,
  noBody,
  page,
  requiredLine,
  time,
  waitingFor,
} from '../platform/fields.ts'
import { recoveryState } from './account-recovery.ts'
import { kycState, kycStates } from './kyc.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { mailboxRefusal } from '../platform/mailboxes.ts'
import { adminFields, rights, waitingRights } from './members.ts'
import { assigneeFilter, assignmentOf, colleague } from './assignment.ts'
import { timelineEntry, timelineKinds } from '../platform/timeline.ts'
import { noteLengthMax, notesOn, staffNote } from './staff-notes.ts'

const memberRights = ['any', 'news', 'employee', 'finance', 'coins', 'admin'] as const
export type MemberRight = (typeof memberRights)[number]

const yesOrNo = z.enum(['yes', 'no'], 'one_of')

/** A member in the list, with only the fields needed to find and identify them. */
const consoleMember = z.object({
  id,
  email: z.string(),
  /** The display name, otherwise the first and last name. */
  name: z.string(),
  active: z.boolean(),
  /** Staff deactivated the account. An account that is neither active nor closed was never activated. */
  isClosed: z.boolean(),
  /** Effective rights. */
  ...rights,
  /** Granted rights that are not effective yet. */
  waitingRights: z.optional(waitingRights),
  kyc: kycState,
  hasFactor: z.boolean(),
  memberSince: time,
  lastSignIn: z.nullable(time),
  assignee: z.nullable(colleague),
})
export type ConsoleMember = z.infer<typeof consoleMember>

export const memberNoteKinds = [
  'note',
  'deactivated',
  'activated',
  'rights',
  'export',
  'erasure',
  'email',
  'recovery',
] as const

const memberNote = z.extend(staffNote, { kind: z.enum(memberNoteKinds) })
export type MemberNote = z.infer<typeof memberNote>

const consoleMemberDetail = z.extend(consoleMember, {
  displayName: z.string(),
  firstName: z.string(),
  midName: z.string(),
  lastName: z.string(),
  language,
  closedAt: z.nullable(time),
  sessions: z.number(),
  factors: z.array(z.enum(['passkey', 'totp', 'recovery'])),
  lastUpdated: time,
  /** Set if emails do not reach the member. */
  mailbox: z.nullable(mailboxRefusal),
  /** A pending change of the address. */
  emailChange: z.nullable(
    z.object({
      newEmail: z.string(),
      startedAt: time,
      /** The staff member who started it. */
      startedBy: z.nullable(z.string()),
      /** The day on which it can take effect. Null if the member started it and must enter an emailed code. */
      takesEffectAt: z.nullable(time),
      /** The owner of the new address confirmed it. */
      isConfirmed: z.boolean(),
      expiresAt: time,
    }),
  ),
  /** Only the newest. */
  notes: z.array(memberNote),
  /** The open account recovery request. */
  recovery: z.nullable(z.extend(recoveryState, { askedAt: time })),
  erasure: z.nullable(
    z.object({
      openedAt: time,
      openedBy: z.nullable(z.string()),
      isOwn: z.boolean(),
      reason: z.string(),
      /** From then on, a second staff member may carry it out. */
      dueAt: time,
    }),
  ),
})
export type ConsoleMemberDetail = z.infer<typeof consoleMemberDetail>

const params = z.strictObject({ id })
const reason = requiredLine(noteLengthMax)
const lastUpdated = z.optional(time)

/**
 * `q` is a complete ID, or parts of the email address and names. Words of one or two letters match only the beginning.
 */
export const consoleMembers = resource({
  path: 'admin/members',
  name: 'members',
  about:
    'List members, filtered by search words, status, right, identity status, second factor, assignee, and sign-up day, in the requested order. A whole wallet address finds the members whose identity application has it, if the caller has a finance level. For very common search words, a page can be short or empty even though more pages follow.',
  access: staff('employee', 1),
  auditsAccess: 'member',
  row: consoleMember,
  filters: {
    q: z.optional(line(200)),
    /** Words of an email address or a name, each with at most one mistake. The longest must have five letters. */
    similarTo: z.optional(line(200)),
    active: z.optional(yesOrNo),
    /** A granted right, whether effective or pending. */
    right: z.optional(z.enum(memberRights, 'one_of')),
    kyc: z.optional(z.enum(kycStates, 'one_of')),
    factor: z.optional(yesOrNo),
    assignee: assigneeFilter,
    /** `me`: members whose erasure the caller can carry out. */
    waitingFor,
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('joined', '-joined', 'signIn', '-signIn'),
  },
  isPageFirst: true,
  palette: 'q',
  file: { about: 'Export the list of members as CSV, all pages. Requires step-up authentication.' },
  detail: { about: 'Get the details of one member for staff.', output: consoleMemberDetail },
})
export const { list: listConsoleMembers, file: exportConsoleMembers, get: getConsoleMember } = consoleMembers
export type MemberFilters = FiltersOf<typeof consoleMembers>

export const readMemberTimeline = endpoint('GET', 'admin/members/:id/timeline', {
  about:
    'List the activity in an account, newest first, of all kinds or one: sign-ins, changes, emails, and notes. Orders and identity cases require a finance level. Views by staff require administrator rights.',
  access: staff('employee', 1),
  auditsAccess: 'member',
  params,
  query: z.extend(page, { kind: z.optional(z.enum(timelineKinds, 'one_of')) }),
  output: z.array(timelineEntry),
  errors: ['not_found'],
})

export const setMemberActive = endpoint('POST', 'admin/members/:id/active', {
  about:
    'Deactivate or reactivate an account, with a reason. Deactivating terminates its sessions and revokes its API tokens. The member is notified by email. For accounts with staff rights, the caller must be an administrator, and every administrator is notified.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ active: z.boolean(), reason, lastUpdated }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'last_admin', 'step_up_required', 'member_is_staff'],
})

export const setMemberRights = endpoint('POST', 'admin/members/:id/rights', {
  about:
    'Grant or revoke rights, with a reason. API tokens with rights that the member loses are revoked. The member and all other administrators are notified by email.',
  access: staff('admin', 2),
  params,
  body: z.strictObject({ ...adminFields, reason, lastUpdated }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'last_admin', 'step_up_required'],
})

export const resendMemberActivation = endpoint('POST', 'admin/members/:id/activation', {
  about:
    'Resend the activation email to a member who has not activated the account. Codes that were sent earlier stay valid.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('sent'),
  errors: ['not_found', 'conflict'],
})

export const sendMemberReset = endpoint('POST', 'admin/members/:id/reset', {
  about: 'Email the member a link to set a new password.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('sent'),
  errors: ['not_found', 'conflict'],
})

export const endMemberSessions = endpoint('POST', 'admin/members/:id/sessions/end', {
  about:
    'Sign the member out of all sessions. For accounts with staff rights, the caller must be an administrator, and every administrator is notified by email.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: z.object({ ended: z.number() }),
  errors: ['not_found', 'member_is_staff'],
})

export const resendMemberActivations = bulk(resendMemberActivation, 'admin/members/bulk/activation', {
  about:
    'Resend the activation email to up to 100 members who have not activated their accounts, or preview that.',
  input: {},
})

export const endSessionsOfMembers = bulk(endMemberSessions, 'admin/members/bulk/sessions', {
  about: 'Sign up to 100 members out of all sessions, or preview that.',
  input: {},
})

export const clearMailboxRefusal = endpoint('POST', 'admin/members/:id/mailbox/clear', {
  about: 'Remove the suppression of a member’s email address, so that emails are sent to it again.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: consoleMemberDetail,
  errors: ['not_found'],
})

export const correctMemberEmail = endpoint('POST', 'admin/members/:id/email', {
  about:
    'Start a change of the member’s email address, with a reason. The new address gets a link to confirm it, and the current address gets a link to stop the change. The change takes effect no sooner than one day later, and only if the new address was confirmed. For accounts with staff rights, the caller must be an administrator, and every administrator is notified.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ email, reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required', 'member_is_staff'],
})

export const cancelMemberEmailChange = endpoint('DELETE', 'admin/members/:id/email', {
  about: 'Cancel a pending change of the member’s email address. The member is notified by email.',
  access: staff('employee', 2),
  params,
  output: consoleMemberDetail,
  errors: ['not_found'],
})

export const {
  add: addMemberNote,
  remove: removeMemberNote,
  readers: listMemberReaders,
} = notesOn('admin/members', {
  access: staff('employee', 2),
  output: consoleMemberDetail,
  about: {
    add: 'The member’s data export includes it.',
    remove: 'Reasons for actions cannot be deleted.',
  },
})

export const { assign: assignMember, colleagues: listMemberColleagues } = assignmentOf('admin/members', {
  level: 'employee',
  about: {
    assign: 'Assign a member to a colleague who can act on the account, or unassign them.',
    colleagues: 'List the staff members that a member can be assigned to.',
  },
})

export const assignMembers = bulk(assignMember, 'admin/members/bulk/assign', {
  about:
    'Assign up to 100 members to a colleague, or unassign them, or preview that. `version` is the ID of the current assignee, if there is one.',
  input: { to: assignMember.body.shape.to },
})

export const offerMemberExport = endpoint('POST', 'admin/members/:id/export', {
  about:
    'Email the member instructions for exporting their data. Members download the export themselves; staff never see its contents.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const offerMemberRecovery = endpoint('POST', 'admin/members/:id/recovery', {
  about:
    'Email a member who has lost all second factors instructions for requesting account recovery. Members request it themselves, because it requires their password.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const openMemberErasure = endpoint('POST', 'admin/members/:id/erasure', {
  about:
    'Start the erasure that a member requested, stating how they made the request. The member is notified by email. Signing in or deactivating the account cancels the erasure; a deactivated account must be reactivated first.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required', 'member_is_staff', 'account_closed'],
})

export const confirmMemberErasure = endpoint('POST', 'admin/members/:id/erasure/confirm', {
  about: 'Erase a member whose erasure was started by another staff member at least one day ago.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('erased'),
  errors: ['not_found', 'conflict', 'step_up_required', 'member_is_staff', 'account_closed'],
})

export const cancelMemberErasure = endpoint('DELETE', 'admin/members/:id/erasure', {
  about: 'Cancel a pending erasure. The member is notified by email.',
  access: staff('employee', 2),
  params,
  output: consoleMemberDetail,
  errors: ['not_found'],
})
