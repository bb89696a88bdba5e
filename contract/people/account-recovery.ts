import * as z from 'zod/mini'
import { anyone, endpoint, staff } from '../platform/endpoint.ts'
import { currentPassword, done, email, id, requiredLine, text, time, waitingFor } from '../platform/fields.ts'

/** The steps of an open request: requested by the member, verified by one staff member, approved by another. */
const openStates = ['asked', 'opened', 'confirmed'] as const
export const recoveryStates = [...openStates, 'done', 'stopped', 'declined', 'expired'] as const

export const recoveryState = z.object({
  state: z.enum(openStates),
  /** When the factors are removed, once the request is approved. */
  takesEffectAt: z.nullable(time),
})
export type RecoveryState = z.infer<typeof recoveryState>

export const requestAccountRecovery = endpoint('POST', 'members/factors/lost', {
  about:
    'Request account recovery without the second factor, using the correct password, or get the status of the request. The member is notified of every step by email.',
  access: anyone,
  body: z.strictObject({ email, password: currentPassword }),
  output: recoveryState,
  errors: ['credentials_invalid', 'member_inactive', 'conflict'],
})

export const cancelRecoveryRequest = endpoint('POST', 'members/factors/lost/stop', {
  about: 'Cancel a recovery request with the link that each of its emails contains.',
  access: anyone,
  body: z.strictObject({ id, code: requiredLine(100) }),
  output: done('stopped'),
  errors: ['code_invalid', 'conflict'],
})

const by = z.nullable(z.object({ id, name: z.string() }))

export const lostFactor = z.object({
  id,
  member: z.object({ id, email: z.string(), name: z.string() }),
  ...recoveryState.shape,
  askedAt: time,
  openedBy: by,
  openedAt: z.nullable(time),
  how: z.string(),
  confirmedBy: by,
})
export type RecoveryRequest = z.infer<typeof lostFactor>

export const listRecoveryRequests = endpoint('GET', 'admin/lost-factors', {
  about: 'List the open recovery requests of members who lost their second factor, oldest first.',
  access: staff('employee', 2),
  auditsAccess: 'member',
  query: z.strictObject({ waitingFor }),
  output: z.array(lostFactor),
})

export const how = text(1000).check(z.trim(), z.minLength(1, 'required'))
const body = z.strictObject({ id })

export const verifyRecoveryRequest = endpoint('POST', 'admin/lost-factors/open', {
  about: 'Record how the member’s identity was verified. Another staff member must approve the request.',
  access: staff('employee', 2),
  body: z.strictObject({ id, how }),
  output: lostFactor,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const approveRecoveryRequest = endpoint('POST', 'admin/lost-factors/confirm', {
  about:
    'Approve a recovery request that another staff member verified. One day later, the member’s factors and sessions are revoked.',
  access: staff('employee', 2),
  body,
  output: lostFactor,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const rejectRecoveryRequest = endpoint('POST', 'admin/lost-factors/decline', {
  about: 'Reject a recovery request at any step before it takes effect.',
  access: staff('employee', 2),
  body,
  output: done('declined'),
  errors: ['not_found', 'conflict', 'step_up_required'],
})
