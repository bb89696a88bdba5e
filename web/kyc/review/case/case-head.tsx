import { fullName } from '#contract/people/full-name.ts'
import type { KycCase, KycCaseDetail } from '#contract/people/kyc-review.ts'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { Button, TextButton } from '../../../kernel/ui/button.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { CaseAge } from '../case-age.tsx'
import { KeyHint, useKeyShortcut } from '../keys/key-hint.tsx'
import { pathToCase, pathToQueue, type QueueSearch } from '../review-address.ts'
import { isWaiting, reviewStates } from '../review-states.ts'
import styles from './case.module.css'

type Props = {
  queue: QueueSearch
  /** What the queue already knows while the case is loading. */
  kycCase: KycCaseDetail | KycCase | undefined
  previous: KycCase | undefined
  next: KycCase | undefined
  usualHours: number | null
  onKeys: () => void
}

export const nameOf = (
  t: UsedMessages['t'],
  { firstName, lastName, isDeleted }: Pick<KycCase, 'firstName' | 'lastName' | 'isDeleted'>,
): string => fullName(firstName, lastName) || (isDeleted ? t('review.deleted') : '–')

/** Applicant and status of the case, and navigation to its neighbors. */
export function CaseHead({ queue, kycCase, previous, next, usualHours, onKeys }: Props) {
  const { t } = useMessages()
  const shortcut = useKeyShortcut()
  return (
    <header className={styles.head}>
      <nav className={styles.ways} aria-label={t('review.caseNav')}>
        <a href={pathToQueue(queue)} aria-keyshortcuts={shortcut('back')}>
          <span aria-hidden="true">← </span>
          {t('review.back')}
          <KeyHint of="back" />
        </a>
        {previous && (
          <a href={pathToCase(previous._id, queue)} aria-keyshortcuts={shortcut('previous')}>
            {t('review.previous')}
            <KeyHint of="previous" />
          </a>
        )}
        {next && (
          <a href={pathToCase(next._id, queue)} aria-keyshortcuts={shortcut('next')}>
            {t('review.next')}
            <KeyHint of="next" />
          </a>
        )}
        <TextButton className={styles.keys ?? ''} aria-keyshortcuts={shortcut('help')} onClick={onKeys}>
          {t('console.keys')}
          <KeyHint of="help" />
        </TextButton>
      </nav>
      <h1 tabIndex={-1}>{kycCase ? nameOf(t, kycCase) : t('review.case')}</h1>
      {kycCase && (
        <p className={styles.state}>
          <Tag colour={reviewStates[kycCase.status].colour}>{t(reviewStates[kycCase.status].words)}</Tag>
          <span>
            <span className={styles.ageLabel}>
              {t(isWaiting(kycCase.status) ? 'review.waited' : 'review.took')}
            </span>{' '}
            <CaseAge of={kycCase} usualHours={usualHours} />
          </span>
        </p>
      )}
    </header>
  )
}

type OwnerProps = {
  kycCase: KycCaseDetail
  officerId: string
  mayDecide: boolean
  isBusy: boolean
  onAssign: () => void
  onUnassign: () => void
}

/** The assignee of the case, and what that means for the reviewer who is viewing it. */
export function CaseOwner(props: OwnerProps) {
  const { kycCase, mayDecide } = props
  const { t } = useMessages()
  const { isFinal, isDeleted } = kycCase
  return (
    <div className={styles.owner}>
      {isFinal && <p>{t('review.isFinal')}</p>}
      {isFinal && isDeleted && <p>{t('review.deleted.final')}</p>}
      <Proposals {...props} />
      {kycCase.isBarred && mayDecide && <p>{t('review.barred')}</p>}
      {isWaiting(kycCase.status) && !isDeleted && <Assignment {...props} />}
    </div>
  )
}

/** Decisions that wait for a second reviewer. */
function Proposals({ kycCase, officerId }: OwnerProps) {
  const { t, language, formatDate } = useMessages()
  const { finalProposedBy, finalProposedAt, approvalProposedBy, isFinal, isDeleted } = kycCase
  const final = isFinal ? null : finalProposedBy
  return (
    <>
      {final && isDeleted && (
        <p className={styles.proposed}>
          {t(final.id === officerId ? 'review.proposal.open.mine' : 'review.proposal.open', {
            name: staffName(final.name, language),
            date: finalProposedAt ? formatDate(finalProposedAt) : '–',
          })}
        </p>
      )}
      {approvalProposedBy && (
        <p className={styles.proposed}>
          {approvalProposedBy.id === officerId
            ? t('review.approvalProposed.mine')
            : t('review.approvalProposed', { name: staffName(approvalProposedBy.name, language) })}
        </p>
      )}
      {final && !isDeleted && (
        <p className={styles.proposed}>
          {final.id === officerId
            ? t('review.finalProposed.mine')
            : t('review.finalProposed', { name: staffName(final.name, language) })}
        </p>
      )}
    </>
  )
}

function Assignment(props: OwnerProps) {
  const { kycCase, officerId, mayDecide } = props
  const { t } = useMessages()
  const { assignee, memberId, isBarred } = kycCase
  const isOwn = memberId === officerId
  const mayHandle = assignee?.id === officerId || !isBarred
  const sentence = () => {
    if (isOwn) return t('review.own')
    if (!mayDecide) return t('review.readOnly')
    if (!assignee) return t('review.nobody')
    return assignee.id === officerId ? t('review.mine') : t('review.others', { name: assignee.name })
  }
  return (
    <div>
      {(mayHandle || !mayDecide) && <p role="status">{sentence()}</p>}
      {mayDecide && !isOwn && mayHandle && <AssignButton {...props} />}
    </div>
  )
}

/** Assigns the case to the reviewer, or unassigns it. */
function AssignButton({ kycCase: { assignee }, officerId, isBusy, onAssign, onUnassign }: OwnerProps) {
  const { t } = useMessages()
  const shortcut = useKeyShortcut()
  const isMine = assignee?.id === officerId
  return (
    <Button
      kind="quiet"
      busy={isBusy}
      aria-keyshortcuts={isMine ? undefined : shortcut('take')}
      onClick={isMine ? onUnassign : onAssign}
    >
      {isMine ? t('review.giveBack') : t(assignee ? 'review.takeOver' : 'review.take')}
      {!isMine && <KeyHint of="take" />}
    </Button>
  )
}
