import * as z from 'zod/mini'
import { endpoint, member } from '../platform/endpoint.ts'
import { currentPassword, id, text, time } from '../platform/fields.ts'

/** Categories of data that are deleted immediately when a member is erased. */
export const erasedCategories = [
  'account',
  'sessions',
  'identity',
  'waitingPhotos',
  'ambassador',
  'workingCopies',
  'newsletter',
  'saleReminder',
  'conversations',
  'consents',
  'phrase',
  'mails',
] as const
/** Categories that must be retained by law and are locked until a date. */
export const retainedCategories = ['orders', 'identity', 'refusal', 'consents', 'handledOrders'] as const

const retained = z.array(z.object({ what: z.enum(retainedCategories), until: time }))
export type RetainedData = z.infer<typeof retained>

export const exportMember = endpoint('GET', 'members/export', {
  about:
    'Export all data stored about the member as JSON, or as a ZIP archive with `format=zip` or `Accept: application/zip`.',
  access: member,
  query: z.strictObject({ format: z.optional(z.enum(['json', 'zip'], 'one_of')) }),
  output: z.looseObject({}),
  errors: ['step_up_required'],
  alternateType: 'application/zip',
})

export const eraseMember = endpoint('POST', 'members/erase', {
  about:
    'Erase the caller’s data. Data that must be retained by law is locked until its retention ends, as listed in the response. If the account has staff rights, every administrator is notified.',
  access: member,
  body: z.strictObject({ current: currentPassword, reason: z.optional(text(1000)) }),
  output: z.object({ erased: z.literal(true), kept: retained }),
  errors: ['credentials_invalid', 'last_admin', 'step_up_required'],
})

export const previewErasure = endpoint('GET', 'members/erase', {
  about:
    'Preview an erasure: the data that would be erased immediately, and the data that would be retained and until when. Nothing changes.',
  access: member,
  output: z.object({
    id,
    erased: z.array(z.enum(erasedCategories)),
    kept: retained,
    /** The last administrator cannot delete the account. */
    isLastAdmin: z.boolean(),
  }),
})
