import * as z from 'zod/mini'
import { time } from './fields.ts'

export const timelineKinds = ['signIn', 'change', 'mail', 'note', 'order', 'case', 'view'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** One event: what, when, and by whom. */
export const timelineEntry = z.object({
  key: z.string(),
  at: time,
  kind: z.enum(timelineKinds),
  /** The action, step, status, or kind of event within `kind`. */
  what: z.string(),
  /** Name of a staff member. Null if the member did it, or for automatic actions. */
  by: z.nullable(z.string()),
  isMember: z.boolean(),
  /** The order or case that the event is about. */
  subjectId: z.nullable(z.string()),
  subject: z.string(),
  /** The device, the status of an email, the changed fields, or the text of the note. */
  detail: z.string(),
})
export type TimelineEntry = z.infer<typeof timelineEntry>
