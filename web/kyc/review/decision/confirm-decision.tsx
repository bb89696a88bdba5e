import type { KycCaseDetail } from '#contract/kyc-review.ts'
import type { KeyTaking, PlainKey } from '../../../i18n/message-key.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { nameOf } from '../case/case-head.tsx'
import styles from './decision.module.css'

type Kind = 'reject' | 'final' | 'propose'
const words: Readonly<Record<Kind, { title: KeyTaking<'name'>; act: PlainKey }>> = {
  reject: { title: 'review.confirm.reject', act: 'review.confirm.reject.do' },
  final: { title: 'review.confirm.final', act: 'review.confirm.final.do' },
  propose: { title: 'review.confirm.propose', act: 'review.confirm.propose.do' },
}

type Props = {
  isOpen: boolean
  kind: Kind
  shown: KycCaseDetail
  reason: string
  onCancel: () => void
  onConfirm: () => void
}

/** A refusal is shown once more as the applicant will read it, before it is sent. */
export function ConfirmDecision({ isOpen, kind, shown, reason, onCancel, onConfirm }: Props) {
  const { t } = useWords()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={t(words[kind].title, { name: nameOf(shown) })}
      actions={
        <>
          <Button kind="quiet" onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
          <Button kind="danger" onClick={onConfirm}>
            {t(words[kind].act)}
          </Button>
        </>
      }
    >
      <p>{t(kind === 'propose' ? 'review.confirm.propose.text' : 'review.confirm.reads')}</p>
      <blockquote className={styles.typed}>{reason}</blockquote>
    </Dialog>
  )
}
