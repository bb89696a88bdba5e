import * as z from 'zod/mini'
import { time } from './fields.ts'

export const timelineKinds = ['signIn', 'change', 'mail', 'note', 'order', 'case', 'view'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** One thing that happened: what, when, and who did it. */
export const timelineEntry = z.object({
  key: z.string(),
  at: time,
  kind: z.enum(timelineKinds),
  /** The action, step, state or kind within `kind`. */
  what: z.string(),
  /** A member of staff by name; null where the member or the program did it. */
  by: z.nullable(z.string()),
  isMember: z.boolean(),
  /** The order or case that it is about; how that is called, or the subject of the mail. */
  subjectId: z.nullable(z.string()),
  subject: z.string(),
  /** The device, the state of a mail, the fields that changed, or what was noted. */
  detail: z.string(),
})
export type TimelineEntry = z.infer<typeof timelineEntry>
