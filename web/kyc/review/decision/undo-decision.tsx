import { useState } from 'react'
import {
  decideKycCase,
  reverseKycRejection,
  type KycCase,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { call } from '../../../kernel/call/call.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { TextArea } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import caseStyles from '../case/case.module.css'
import { ConfirmDecision } from './confirm-decision.tsx'
import type { Undoing } from './draft.ts'

type Props = {
  kycCase: KycCaseDetail
  officerId: string
  onUndone: (changed: KycCase, undone: Undoing) => void
  onFailed: (failure: unknown) => Promise<void>
}

export const canUndo = ({ status, isFinal }: Pick<KycCase, 'status' | 'isFinal'>): boolean =>
  status === 'approved' || isFinal

/** A decided case: withdraw the approval or reverse the final rejection, with a reason. */
export function UndoDecision({ kycCase, officerId, onUndone, onFailed }: Props) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const [reason, setReason] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const { _id: id, round, isFinal, liftProposedBy } = kycCase
  const isMine = liftProposedBy?.id === officerId

  const takeBack = () =>
    run(() =>
      call(reverseKycRejection, { params: { id }, body: { isTakenBack: true } }).then(
        (changed) => onUndone(changed, 'lift_taken_back'),
        onFailed,
      ),
    )
  async function undo() {
    setIsConfirming(false)
    const params = { id }
    await run(() =>
      (isFinal
        ? call(reverseKycRejection, { params, body: { reason } })
        : call(decideKycCase, { params, body: { status: 'withdrawn', round, reason } })
      ).then((changed) => onUndone(changed, undoneAs(isFinal, changed)), onFailed),
    )
  }
  return (
    <section className={caseStyles.part} aria-labelledby="case-undo">
      <h2 id="case-undo">{t(isFinal ? 'review.lift' : 'review.withdraw')}</h2>
      <p className={caseStyles.quiet}>{isFinal ? liftHelp(t, kycCase, isMine) : t('review.withdraw.help')}</p>
      {isMine && (
        <div className={caseStyles.actions}>
          <Button kind="quiet" busy={isBusy} onClick={() => void takeBack()}>
            {t('review.lift.takeBack')}
          </Button>
        </div>
      )}
      {!isMine && (
        <>
          <TextArea
            label={t(isFinal ? 'review.lift.reason' : 'review.reason')}
            rows={3}
            maxLength={boundsOf(decideKycCase.body.shape.reason).maxLength}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <div className={caseStyles.actions}>
            <Button
              kind={isFinal ? 'quiet' : 'danger'}
              busy={isBusy}
              disabled={reason.trim() === ''}
              onClick={() => (isFinal ? void undo() : setIsConfirming(true))}
            >
              {t(undoWords(kycCase))}
            </Button>
          </div>
        </>
      )}
      <FormStatus error={error} />
      <ConfirmDecision
        isOpen={isConfirming}
        kind="withdraw"
        kycCase={kycCase}
        reason={reason}
        onCancel={() => setIsConfirming(false)}
        onConfirm={() => void undo()}
      />
    </section>
  )
}

function undoneAs(wasFinal: boolean, changed: KycCase): Undoing {
  if (!wasFinal) return 'withdrawn'
  return changed.isFinal ? 'lift_proposed' : 'lifted'
}

/** Undoing a decision by two reviewers requires two, even if the setting was switched off since. */
const reversalNeedsFourEyes = ({ isFourEyesRequired, finalProposedBy }: KycCaseDetail): boolean =>
  isFourEyesRequired || finalProposedBy !== null

const undoWords = (kycCase: KycCaseDetail) => {
  if (!kycCase.isFinal) return 'review.withdraw.do'
  return reversalNeedsFourEyes(kycCase) && !kycCase.liftProposedBy ? 'review.lift.propose' : 'review.lift.do'
}

function liftHelp(t: UsedMessages['t'], kycCase: KycCaseDetail, isMine: boolean): string {
  if (isMine) return t('review.lift.mine')
  if (kycCase.liftProposedBy) return t('review.lift.help.second', { name: kycCase.liftProposedBy.name })
  return t(reversalNeedsFourEyes(kycCase) ? 'review.lift.help.two' : 'review.lift.help')
}
