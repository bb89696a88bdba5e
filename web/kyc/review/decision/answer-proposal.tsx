import { useId, useState } from 'react'
import {
  decideKycCase,
  reverseKycRejection,
  type KycCase,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { call } from '../../../kernel/call/call.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { TextArea } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import caseStyles from '../case/case.module.css'
import { ConfirmDecision } from './confirm-decision.tsx'
import styles from './decision.module.css'

type Props = {
  kycCase: KycCaseDetail
  onAnswered: (changed: KycCase, answer: 'final' | 'proposed' | 'proposal_dropped') => void
  onFailed: (failure: unknown) => Promise<void>
}

const answers = [
  { name: 'final', label: 'review.final', help: 'review.proposal.confirm.help' },
  { name: 'drop', label: 'review.proposal.drop', help: 'review.proposal.drop.help' },
] as const

/** If the first approval no longer counts, this one becomes the first. */
const answeredAs = (answer: 'final' | 'drop' | undefined, { isFinal }: KycCase) =>
  answer === 'drop' ? 'proposal_dropped' : isFinal ? 'final' : 'proposed'

/**
 * A proposal whose applicant has deleted the application. The second reviewer confirms or dismisses it, with a reason.
 */
export function AnswerProposal({ kycCase, onAnswered, onFailed }: Props) {
  const { t } = useMessages()
  const group = useId()
  const { isBusy, error, run } = useAction()
  const [answer, setAnswer] = useState<'final' | 'drop'>()
  // The text of the first reviewer was meant for the applicant.
  const [reasons, setReasons] = useState({ final: kycCase.finalProposedReason, drop: '' })
  const [isConfirming, setIsConfirming] = useState(false)
  const reason = answer ? reasons[answer] : ''
  const { _id: id, round } = kycCase

  async function send() {
    setIsConfirming(false)
    const params = { id }
    await run(() =>
      (answer === 'drop'
        ? call(reverseKycRejection, { params, body: { reason } })
        : call(decideKycCase, { params, body: { status: 'rejected', isFinal: true, round, reason } })
      ).then((changed) => onAnswered(changed, answeredAs(answer, changed)), onFailed),
    )
  }
  return (
    <section className={caseStyles.part} aria-labelledby="case-proposal">
      <h2 id="case-proposal">{t('review.proposal')}</h2>
      <fieldset className={styles.outcomes}>
        <legend>{t('review.decide.outcome')}</legend>
        {answers.map(({ name, label, help }) => (
          <label key={name} className={styles.outcome}>
            <input type="radio" name={group} checked={answer === name} onChange={() => setAnswer(name)} />
            <span>
              {t(label)}
              <small>{t(help)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {answer && (
        <div className={styles.why}>
          <TextArea
            label={t(answer === 'drop' ? 'review.lift.reason' : 'review.reason')}
            rows={3}
            maxLength={boundsOf(decideKycCase.body.shape.reason).maxLength}
            value={reason}
            onChange={({ target }) => setReasons({ ...reasons, [answer]: target.value })}
          />
        </div>
      )}
      <div className={caseStyles.actions}>
        <Button
          kind={answer === 'final' ? 'danger' : 'primary'}
          busy={isBusy}
          disabled={reason.trim() === ''}
          onClick={() => (answer === 'final' ? setIsConfirming(true) : void send())}
        >
          {t(answer === 'drop' ? 'review.proposal.drop' : answer ? 'review.final.do' : 'review.decide.do')}
        </Button>
      </div>
      <FormStatus error={error} />
      <ConfirmDecision
        isOpen={isConfirming}
        kind="final"
        kycCase={kycCase}
        reason={reason}
        onCancel={() => setIsConfirming(false)}
        onConfirm={() => void send()}
      />
    </section>
  )
}
