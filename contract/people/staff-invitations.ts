import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { email, id, language, line, noBody, time } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { adminFields, rights } from './members.ts'

/** An expired invitation can be sent again. */
export const staffInvitationStates = ['open', 'accepted', 'expired', 'revoked'] as const

export const invitationDays = 7

const staffInvitation = z.object({
  id,
  memberId: id,
  email: z.string(),
  /** The rights that the account gets. */
  ...rights,
  state: z.enum(staffInvitationStates),
  /** The name is null if that account was erased. */
  invitedBy: z.nullable(z.string()),
  sentAt: time,
  expiresAt: time,
})
export type StaffInvitation = z.infer<typeof staffInvitation>

/** `q` is a part of the email address. */
export const staffInvitations = resource({
  path: 'admin/staff-invitations',
  name: 'staff-invitations',
  about: 'List the invitations of colleagues, filtered by address or status, in the requested order.',
  access: staff('admin'),
  auditsAccess: { without: 'The list contains colleagues, not members.' },
  row: staffInvitation,
  filters: {
    q: z.optional(line(254)),
    state: z.optional(z.enum(staffInvitationStates, 'one_of')),
    sort: sortedBy('sent', '-sent'),
  },
  palette: { without: 'The palette finds the account of the address.' },
})
export const { list: listStaffInvitations } = staffInvitations
export type StaffInvitationFilters = FiltersOf<typeof staffInvitations>

export const createStaffInvitation = endpoint('POST', 'admin/staff-invitations', {
  about:
    'Invite someone without an account to the staff, by email. The link is valid for 7 days and works once. An earlier invitation of the same address is revoked. The other administrators are notified.',
  access: staff('admin'),
  status: 201,
  body: z.strictObject({ email, language, ...adminFields }),
  output: staffInvitation,
  errors: ['step_up_required'],
})

export const resendStaffInvitation = endpoint('POST', 'admin/staff-invitations/:id/send', {
  about:
    'Email an invitation again, with a new link that is valid for 7 days. The caller becomes the person who invites.',
  access: staff('admin'),
  params: z.strictObject({ id }),
  body: noBody,
  output: staffInvitation,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const revokeStaffInvitation = endpoint('POST', 'admin/staff-invitations/:id/revoke', {
  about: 'Revoke an invitation that was not accepted. Its link stops working.',
  access: staff('admin'),
  params: z.strictObject({ id }),
  body: noBody,
  output: staffInvitation,
  errors: ['not_found', 'conflict'],
})
