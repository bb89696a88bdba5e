import * as z from 'zod/mini'
import { endpoint, member } from './endpoint.ts'
import { currentPassword, id, text, time } from './fields.ts'

/** Categories of data that are deleted at once when a member is erased, if there are any. */
export const erasedCategories = [
  'account',
  'sessions',
  'identity',
  'waitingPhotos',
  'ambassador',
  'workingCopies',
  'newsletter',
  'consents',
  'phrase',
  'mails',
] as const
/** Categories that the law requires us to retain, locked, until a date. */
export const retainedCategories = ['orders', 'identity', 'refusal', 'consents'] as const

const retained = z.array(z.object({ what: z.enum(retainedCategories), until: time }))
export type RetainedData = z.infer<typeof retained>

export const exportMember = endpoint('GET', 'members/export', {
  about:
    'Everything that is kept about the member, as JSON; as a ZIP archive with `format=zip` or `Accept: application/zip`.',
  access: member,
  query: z.strictObject({ format: z.optional(z.enum(['json', 'zip'], 'one_of')) }),
  output: z.looseObject({}),
  errors: ['step_up_required'],
  answersAlso: 'application/zip',
})

export const eraseMember = endpoint('POST', 'members/erase', {
  about: 'Erase one’s data. What the law demands to keep is locked until its date; the answer says which.',
  access: member,
  body: z.strictObject({ current: currentPassword, reason: z.optional(text(1000)) }),
  output: z.object({ erased: z.literal(true), kept: retained }),
  errors: ['credentials_invalid', 'last_admin', 'step_up_required'],
})

export const previewErasure = endpoint('GET', 'members/erase', {
  about: 'What erasing oneself would erase at once, and what would be kept until when. Changes nothing.',
  access: member,
  output: z.object({
    id,
    erased: z.array(z.enum(erasedCategories)),
    kept: retained,
    /** The last administrator cannot delete the account. */
    isLastAdmin: z.boolean(),
  }),
})
