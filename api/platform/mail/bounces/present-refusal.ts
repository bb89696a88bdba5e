import type { MailboxRefusal } from '#contract/platform/mailboxes.ts'
import { codeOf } from '../console/present-mail.ts'
import { failureReasonOf, type MailFailure } from '../mail-failure.ts'
import type { findRefusalOf } from './mailbox-refusal.queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findRefusalOf>>>

export function presentRefusal(row: Row): MailboxRefusal {
  const { error, enhanced, is_reported, refused_at } = row
  const failure: MailFailure = { error, ...(enhanced !== null && { enhanced }), step: 'RCPT TO' }
  return {
    refusedAt: refused_at.toISOString(),
    trouble: failureReasonOf(failure),
    code: codeOf(failure),
    isReported: is_reported,
  }
}
