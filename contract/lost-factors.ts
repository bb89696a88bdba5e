import * as z from 'zod/mini'
import { anyone, endpoint, staff } from './endpoint.ts'
import { currentPassword, done, email, id, requiredLine, text, time, waitingFor } from './fields.ts'

/** An open request: asked for, then opened by one staff member, then confirmed by another. */
const openStates = ['asked', 'opened', 'confirmed'] as const
export const lostFactorStates = [...openStates, 'done', 'stopped', 'declined', 'expired'] as const

export const lostFactorState = z.object({
  state: z.enum(openStates),
  /** Once confirmed: when the factors are removed. */
  takesEffectAt: z.nullable(time),
})
export type LostFactorState = z.infer<typeof lostFactorState>

export const askLostFactor = endpoint('POST', 'members/factors/lost', {
  about:
    'With the right password: ask the staff for a way in without the second factor, or read how far one’s request is. Every step is mailed.',
  access: anyone,
  body: z.strictObject({ email, password: currentPassword }),
  output: lostFactorState,
  errors: ['credentials_invalid', 'member_inactive', 'conflict'],
})

export const stopLostFactor = endpoint('POST', 'members/factors/lost/stop', {
  about: 'End such a request, with the link that is in each of its mails.',
  access: anyone,
  body: z.strictObject({ id, code: requiredLine(100) }),
  output: done('stopped'),
  errors: ['code_invalid', 'conflict'],
})

const by = z.nullable(z.object({ id, name: z.string() }))

export const lostFactor = z.object({
  id,
  member: z.object({ id, email: z.string(), name: z.string() }),
  ...lostFactorState.shape,
  askedAt: time,
  openedBy: by,
  openedAt: z.nullable(time),
  how: z.string(),
  confirmedBy: by,
})
export type LostFactor = z.infer<typeof lostFactor>

export const listLostFactors = endpoint('GET', 'admin/lost-factors', {
  about: 'The open requests of members who lost their second factor, the oldest first.',
  access: staff('employee', 2),
  recordsReading: 'member',
  query: z.strictObject({ waitingFor }),
  output: z.array(lostFactor),
})

export const how = text(1000).check(z.trim(), z.minLength(1, 'required'))
const body = z.strictObject({ id })

export const openLostFactor = endpoint('POST', 'admin/lost-factors/open', {
  about: 'Say how the member’s identity was seen again. Somebody else of the staff confirms.',
  access: staff('employee', 2),
  body: z.strictObject({ id, how }),
  output: lostFactor,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const confirmLostFactor = endpoint('POST', 'admin/lost-factors/confirm', {
  about: 'Confirm what somebody else opened: a day later the member’s factors and sessions end.',
  access: staff('employee', 2),
  body,
  output: lostFactor,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const declineLostFactor = endpoint('POST', 'admin/lost-factors/decline', {
  about: 'End a request at any step before it took effect.',
  access: staff('employee', 2),
  body,
  output: done('declined'),
  errors: ['not_found', 'conflict', 'step_up_required'],
})
