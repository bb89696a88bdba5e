import { useEffect, useRef } from 'react'
import type { KycCase } from '#contract/people/kyc-review.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { ButtonLink } from '../../../kernel/ui/button.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { pathToCase, pathToQueue, type QueueSearch } from '../review-address.ts'
import { nameOf } from '../case/case-head.tsx'
import type { Outcome, Undoing } from './draft.ts'

export type Done = Outcome | Undoing | 'proposed' | 'approval_proposed' | 'proposal_dropped'

const labels: Readonly<Record<Done, PlainKey>> = {
  approved: 'review.done.approved',
  more_info: 'review.done.more',
  rejected: 'review.done.rejected',
  final: 'review.done.rejected',
  proposed: 'review.done.proposed',
  approval_proposed: 'review.done.approvalProposed',
  proposal_dropped: 'review.proposal.dropped',
  withdrawn: 'review.done.withdrawn',
  lifted: 'review.lift.done',
  lift_proposed: 'review.lift.proposed',
  lift_taken_back: 'review.lift.takenBack',
}

/** What was done, and a link to the next case. */
export function CaseDone({
  done,
  next,
  queue,
}: {
  done: Done
  next: KycCase | undefined
  queue: QueueSearch
}) {
  const { t } = useMessages()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    link.current?.focus()
  }, [])
  return (
    <Message kind="good" role="status">
      <p>{t(labels[done])}</p>
      {!next && <p>{t('review.done.last')}</p>}
      <ButtonLink ref={link} href={next ? pathToCase(next._id, queue) : pathToQueue(queue)}>
        {next ? t('review.done.next', { name: nameOf(t, next) }) : t('review.back')}
      </ButtonLink>
    </Message>
  )
}
