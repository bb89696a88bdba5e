import * as z from 'zod/mini'
import { mailTroubles } from './console-mails.ts'
import { endpoint, member } from './endpoint.ts'
import { time } from './fields.ts'

/** An email was permanently refused because of the mailbox. */
export const mailboxRefusal = z.object({
  refusedAt: time,
  trouble: z.enum(mailTroubles),
  /** As returned by the mail server, such as `550 5.1.1`. */
  code: z.string(),
  /** Whether a delivery status report said so, instead of the answer during delivery. */
  isReported: z.boolean(),
})
export type MailboxRefusal = z.infer<typeof mailboxRefusal>

export const readOwnMailbox = endpoint('GET', 'members/mailbox', {
  about: 'Whether mails to one’s own address are refused. A code asked for and typed ends that.',
  access: member,
  output: z.object({ refusal: z.nullable(mailboxRefusal) }),
})
