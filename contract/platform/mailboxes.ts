import * as z from 'zod/mini'
import { mailFailureReasons } from './console-mails.ts'
import { endpoint, member } from './endpoint.ts'
import { time } from './fields.ts'

/** A permanent delivery failure caused by the mailbox, or a complaint: its reader marked an email as spam. */
export const mailboxRefusal = z.object({
  refusedAt: time,
  trouble: z.enum(mailFailureReasons),
  /** As returned by the mail server, such as `550 5.1.1`; `complaint` for a complaint. */
  code: z.string(),
  /** Whether a report said so, rather than the response during delivery. */
  isReported: z.boolean(),
})
export type MailboxRefusal = z.infer<typeof mailboxRefusal>

export const readOwnMailbox = endpoint('GET', 'members/mailbox', {
  about:
    'Get whether emails to the caller’s address are suppressed. Requesting a code and entering it ends the suppression.',
  access: member,
  output: z.object({ refusal: z.nullable(mailboxRefusal) }),
})
