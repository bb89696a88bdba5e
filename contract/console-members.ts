import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { day, done, id, language, line, noBody, page, requiredLine, text, time } from './fields.ts'
import { kycState, kycStates } from './kyc.ts'
import { resource, sortedBy, type FiltersOf } from './resource.ts'
import { mailboxRefusal } from './mailboxes.ts'
import { adminFields, rights, waitingRights } from './members.ts'
import { timelineEntry } from './timeline.ts'

export const memberRights = ['any', 'news', 'employee', 'finance', 'coins', 'admin'] as const
export type MemberRight = (typeof memberRights)[number]

const yesOrNo = z.enum(['yes', 'no'], 'one_of')

/** A member in the list, with only the fields needed to find and identify them. */
export const consoleMember = z.object({
  id,
  email: z.string(),
  /** The display name, or else the first and last name. */
  name: z.string(),
  active: z.boolean(),
  /** Staff closed the account. An account that is neither active nor closed was never activated. */
  isClosed: z.boolean(),
  /** Effective rights. */
  ...rights,
  /** Granted rights that are not effective yet. */
  waitingRights: z.optional(waitingRights),
  kyc: kycState,
  hasFactor: z.boolean(),
  memberSince: time,
  lastSignIn: z.nullable(time),
})
export type ConsoleMember = z.infer<typeof consoleMember>

export const memberNoteKinds = ['note', 'deactivated', 'activated', 'rights', 'export', 'erasure'] as const
export const noteLengthMax = 2000

const memberNote = z.object({
  id,
  kind: z.enum(memberNoteKinds),
  text: z.string(),
  at: time,
  by: z.nullable(z.string()),
  /** Whether the reader may remove it. */
  isRemovable: z.boolean(),
})
export type MemberNote = z.infer<typeof memberNote>

export const consoleMemberDetail = z.extend(consoleMember, {
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
  /** Only the newest. */
  notes: z.array(memberNote),
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
 * `q` is a whole ID, or parts of the email address and names. Words of one or two letters match only the
 * beginning.
 */
export const consoleMembers = resource({
  path: 'admin/members',
  name: 'members',
  about:
    'Members by words, state, right, identity, second factor and day of joining, in the order asked for. Of words that very many have, a page may be short or empty although another follows.',
  access: staff('employee', 1),
  recordsReading: 'member',
  row: consoleMember,
  filters: {
    q: z.optional(line(200)),
    active: z.optional(yesOrNo),
    /** A granted right, whether effective or pending. */
    right: z.optional(z.enum(memberRights, 'one_of')),
    kyc: z.optional(z.enum(kycStates, 'one_of')),
    factor: z.optional(yesOrNo),
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('joined', '-joined', 'signIn', '-signIn'),
  },
  isPageFirst: true,
  palette: 'q',
  file: { about: 'The list of members as CSV, all pages. Takes fresh proof.' },
  detail: { about: 'One member as staff work on the account.', output: consoleMemberDetail },
})
export const { list: listConsoleMembers, file: exportConsoleMembers, get: getConsoleMember } = consoleMembers
export type MemberFilters = FiltersOf<typeof consoleMembers>

export const readMemberTimeline = endpoint('GET', 'admin/members/:id/timeline', {
  about:
    'What happened in an account, the newest first: sign-ins, changes, mails and notes; orders and identity cases with the finance level, views by staff as an administrator.',
  access: staff('employee', 1),
  recordsReading: 'member',
  params,
  query: page,
  output: z.array(timelineEntry),
  errors: ['not_found'],
})

export const setMemberActive = endpoint('POST', 'admin/members/:id/active', {
  about:
    'Deactivate or reopen an account, with the reason. Its sessions end and the member gets a mail. For an account with a staff right this takes an administrator, and every administrator gets a mail.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ active: z.boolean(), reason, lastUpdated }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'last_admin', 'step_up_required', 'member_is_staff'],
})

export const setMemberRights = endpoint('POST', 'admin/members/:id/rights', {
  about: 'Grant or withdraw rights, with the reason. The member and every other administrator get a mail.',
  access: staff('admin', 2),
  params,
  body: z.strictObject({ ...adminFields, reason, lastUpdated }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'last_admin', 'step_up_required'],
})

export const resendMemberActivation = endpoint('POST', 'admin/members/:id/activation', {
  about: 'Mail another activation code to a member who never activated. Codes mailed before stay good.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('sent'),
  errors: ['not_found', 'conflict'],
})

export const sendMemberReset = endpoint('POST', 'admin/members/:id/reset', {
  about: 'Mail a link to set a new password.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('sent'),
  errors: ['not_found', 'conflict'],
})

export const endMemberSessions = endpoint('POST', 'admin/members/:id/sessions/end', {
  about:
    'Sign the member out everywhere. For an account with a staff right this takes an administrator, and every administrator gets a mail.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: z.object({ ended: z.number() }),
  errors: ['not_found', 'member_is_staff'],
})

export const clearMailboxRefusal = endpoint('POST', 'admin/members/:id/mailbox/clear', {
  about: 'Remove the mark of a mailbox that mails did not reach: mails are sent to it again.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: consoleMemberDetail,
  errors: ['not_found'],
})

export const addMemberNote = endpoint('POST', 'admin/members/:id/notes', {
  about: 'Note something for colleagues. The member reads it in the export of their data.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ text: text(noteLengthMax).check(z.trim(), z.minLength(1, 'required')) }),
  output: consoleMemberDetail,
  errors: ['not_found'],
})

export const removeMemberNote = endpoint('DELETE', 'admin/members/:id/notes/:noteId', {
  about: 'Remove one’s own note, or as an administrator anybody’s. Reasons of actions stay.',
  access: staff('employee', 2),
  params: z.strictObject({ id, noteId: id }),
  output: consoleMemberDetail,
  errors: ['not_found'],
})

export const offerMemberExport = endpoint('POST', 'admin/members/:id/export', {
  about:
    'Mail the member the way to the export of their data. They take it themselves: staff never see what it holds.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const openMemberErasure = endpoint('POST', 'admin/members/:id/erasure', {
  about:
    'Open the erasure that a member asked for, with how they asked. The member gets a mail; signing in stops it, and so does closing the account: a closed one is reopened first.',
  access: staff('employee', 2),
  params,
  body: z.strictObject({ reason }),
  output: consoleMemberDetail,
  errors: ['not_found', 'conflict', 'step_up_required', 'member_is_staff', 'account_closed'],
})

export const confirmMemberErasure = endpoint('POST', 'admin/members/:id/erasure/confirm', {
  about: 'Erase a member whose erasure somebody else opened at least a day ago.',
  access: staff('employee', 2),
  params,
  body: noBody,
  output: done('erased'),
  errors: ['not_found', 'conflict', 'step_up_required', 'member_is_staff', 'account_closed'],
})

export const dropMemberErasure = endpoint('DELETE', 'admin/members/:id/erasure', {
  about: 'Drop an erasure that was opened. The member gets a mail.',
  access: staff('employee', 2),
  params,
  output: consoleMemberDetail,
  errors: ['not_found'],
})
