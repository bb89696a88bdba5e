import type { KycCaseDetail } from '#contract/people/kyc-review.ts'
import type { KeyTaking } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Dialog } from '../../../kernel/ui/dialog.tsx'
import { nameOf } from '../case/case-head.tsx'
import styles from './decision.module.css'

type Kind = 'approve' | 'approveFirst' | 'reject' | 'final' | 'propose' | 'withdraw'
const words: Readonly<Record<Kind, { title: KeyTaking<'name'>; act: KeyTaking<'name'> }>> = {
  approve: { title: 'review.confirm.approve', act: 'review.confirm.approve.do' },
  approveFirst: { title: 'review.confirm.approve.first', act: 'review.confirm.propose.do' },
  withdraw: { title: 'review.confirm.withdraw', act: 'review.confirm.withdraw.do' },
  reject: { title: 'review.confirm.reject', act: 'review.confirm.reject.do' },
  final: { title: 'review.confirm.final', act: 'review.confirm.final.do' },
  propose: { title: 'review.confirm.propose', act: 'review.confirm.propose.do' },
}

type Props = {
  isOpen: boolean
  kind: Kind
  kycCase: KycCaseDetail
  reason: string
  onCancel: () => void
  onConfirm: () => void
}

/**
 * Confirmation before sending. It shows the person's name for an approval, otherwise the text that the applicant will
 * read.
 */
export function ConfirmDecision({ isOpen, kind, kycCase, reason, onCancel, onConfirm }: Props) {
  const { t } = useMessages()
  const name = nameOf(t, kycCase)
  const isApproval = kind === 'approve' || kind === 'approveFirst'
  const accepted = kycCase.photos.filter(({ isReplaced }) => !isReplaced).length
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={t(words[kind].title, { name })}
      actions={
        <>
          <Button kind="quiet" onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
          <Button kind={isApproval ? 'primary' : 'danger'} onClick={onConfirm}>
            {t(words[kind].act, { name })}
          </Button>
        </>
      }
    >
      {isApproval ? (
        <p>
          {t(kind === 'approve' ? 'review.confirm.approve.text' : 'review.confirm.approve.first.text', {
            name,
            count: accepted,
          })}
        </p>
      ) : (
        <>
          <p>{t(kind === 'propose' ? 'review.confirm.propose.text' : 'review.confirm.reads')}</p>
          <blockquote className={styles.typed}>{reason}</blockquote>
        </>
      )}
    </Dialog>
  )
}
