import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { decideKycCase, type KycCaseDetail } from '#contract/people/kyc-review.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { Button, TextButton } from '../../../kernel/ui/button.tsx'
import { TextArea } from '../../../kernel/ui/field.tsx'
import { KeyHint } from '../keys/key-hint.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { ReasonTemplate } from '../reason-template.tsx'
import { ConfirmDecision } from './confirm-decision.tsx'
import type { Draft, Outcome } from './draft.ts'
import caseStyles from '../case/case.module.css'
import styles from './decision.module.css'

type Props = {
  kycCase: KycCaseDetail
  draft: Draft
  onChange: (draft: Draft) => void
  onDecide: (outcome: Outcome) => Promise<void>
  officerId: string
}

const outcomes = ['approved', 'more_info', 'rejected', 'final'] as const
const outcomeLabels = {
  approved: { name: 'review.approve', help: 'review.approve.help', act: 'review.approve.do', key: 'approve' },
  more_info: { name: 'review.more', help: 'review.more.help', act: 'review.more.do', key: 'more' },
  rejected: { name: 'review.reject', help: 'review.reject.help', act: 'review.reject.do', key: 'reject' },
  final: { name: 'review.final', help: 'review.final.help', act: 'review.final.do', key: undefined },
} as const satisfies Record<Outcome, { name: PlainKey; help: PlainKey; act: PlainKey; key: unknown }>

const proposeWords = { approved: 'review.approve.propose', final: 'review.final.propose' } as const

const currentPhotos = ({ photos }: KycCaseDetail) => photos.filter(({ isReplaced }) => !isReplaced)
const refusedPhotos = (kycCase: KycCaseDetail) =>
  currentPhotos(kycCase).filter(({ verdict }) => verdict === 'refused')

/** What an approval still requires of the reviewer. The server checks it again. */
function leftToRead(kycCase: KycCaseDetail): PlainKey[] {
  const current = currentPhotos(kycCase)
  const isSeen = current.every(({ verdict }) => verdict === 'accepted')
  return [
    ...(current.length === 0 ? (['review.approve.first.none'] as const) : []),
    ...(isSeen ? [] : (['review.approve.first.photos'] as const)),
    ...(kycCase.screeningReadAt ? [] : (['review.approve.first.screening'] as const)),
  ]
}

const kindOf = (outcome: Draft['outcome'], isFirstApproval: boolean) => {
  if (outcome === 'approved') return isFirstApproval ? 'approveFirst' : 'approve'
  if (outcome === 'final') return isFirstApproval ? 'propose' : 'final'
  return 'reject'
}

/**
 * Which outcomes require two reviewers, and whether this reviewer's approval would be, or already is, the first one.
 */
function approvalsOf(kycCase: KycCaseDetail, officerId: string) {
  const { approvalTakesTwo, approvalProposedBy, isFourEyesRequired, finalProposedBy, isApprovalBarred } =
    kycCase
  const approvals = (takesTwo: boolean, proposer: KycCaseDetail['finalProposedBy']) => ({
    isFirst: takesTwo && proposer === null,
    isTaken: takesTwo && proposer?.id === officerId,
  })
  const approved = approvals(approvalTakesTwo, approvalProposedBy)
  return {
    approved: { ...approved, isTaken: approved.isTaken || isApprovalBarred },
    final: approvals(isFourEyesRequired, finalProposedBy),
  }
}

type FocusTarget = 'reason' | 'button'

/** What the reviewer decides and writes, which approvals it takes, and what is still missing. */
function useDecision({ kycCase, draft, onChange, officerId }: Props, focus: (target: FocusTarget) => void) {
  const { outcome, reason, note = kycCase.note ?? '' } = draft

  const approvals = approvalsOf(kycCase, officerId)
  const approvalsFor = (each: Draft['outcome']) =>
    each === 'approved' || each === 'final' ? approvals[each] : { isFirst: false, isTaken: false }
  const needsReason = outcome !== '' && outcome !== 'approved'
  const todo = leftToRead(kycCase)

  // The second reviewer starts with the first one's text to the applicant, but only for that outcome.
  const proposed = approvals.final.isFirst ? '' : kycCase.finalProposedReason
  const setOutcome = (chosen: Outcome) => {
    const unwritten = reason.trim() === '' || reason === proposed
    onChange({ ...draft, outcome: chosen, ...(unwritten && { reason: chosen === 'final' ? proposed : '' }) })
  }
  const choose = (chosen: Outcome) => {
    setOutcome(chosen)
    focus(chosen === 'approved' ? 'button' : 'reason')
  }
  useKeys({
    approve: approvals.approved.isTaken ? undefined : () => choose('approved'),
    more: () => choose('more_info'),
    reject: () => choose('rejected'),
    reason: () => (needsReason ? focus('reason') : choose('more_info')),
  })
  const isMissing =
    outcome === '' || (needsReason && reason.trim() === '') || (outcome === 'approved' && todo.length > 0)
  return {
    outcome,
    setOutcome,
    reason,
    setReason: (text: string) => onChange({ ...draft, reason: text }),
    needsReason,
    note,
    setNote: (text: string) => onChange({ ...draft, note: text }),
    approvals,
    approvalsFor,
    isFirstApproval: approvalsFor(outcome).isFirst,
    todo,
    isReady: !isMissing && !approvalsFor(outcome).isTaken,
  }
}

type Decision = ReturnType<typeof useDecision>

/**
 * The outcome comes first, then the reason, then a single button to decide. A keyboard shortcut alone decides nothing.
 */
export function DecisionForm(props: Props) {
  const { kycCase, onDecide } = props
  const { t } = useMessages()
  const todoId = useId()
  const [isConfirming, setIsConfirming] = useState(false)
  const { isBusy, run } = useAction()
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState<{ focus: FocusTarget }>()
  // The field to focus may have just been rendered.
  useEffect(() => {
    if (wanted) (wanted.focus === 'reason' ? reasonField : button).current?.focus()
  }, [wanted])
  const decision = useDecision(props, (target) => setWanted({ focus: target }))
  const { outcome, isFirstApproval } = decision

  async function decide() {
    if (outcome === '') return
    setIsConfirming(false)
    await run(() => onDecide(outcome))
  }
  return (
    <section className={caseStyles.part} aria-labelledby="case-decision">
      <h2 id="case-decision">{t('review.decide')}</h2>
      <BeforeApproval kycCase={kycCase} todo={decision.todo} todoId={todoId} />
      <OutcomeChoice kycCase={kycCase} decision={decision} todoId={todoId} />
      <Reason kycCase={kycCase} decision={decision} field={reasonField} />
      <TextArea
        label={t('review.note')}
        help={t('review.note.help')}
        rows={2}
        maxLength={boundsOf(decideKycCase.body.shape.note).maxLength}
        value={decision.note}
        onChange={({ target }) => decision.setNote(target.value)}
      />
      <div className={caseStyles.actions}>
        <Button
          ref={button}
          kind={outcome === 'rejected' || outcome === 'final' ? 'danger' : 'primary'}
          busy={isBusy}
          disabled={!decision.isReady}
          onClick={() => (outcome === 'more_info' ? void decide() : setIsConfirming(true))}
        >
          {t(actLabel(outcome, isFirstApproval))}
        </Button>
      </div>
      <ConfirmDecision
        isOpen={isConfirming}
        kind={kindOf(outcome, isFirstApproval)}
        kycCase={kycCase}
        reason={decision.reason}
        onCancel={() => setIsConfirming(false)}
        onConfirm={() => void decide()}
      />
    </section>
  )
}

function actLabel(outcome: Draft['outcome'], isFirstApproval: boolean): PlainKey {
  if (outcome === '') return 'review.decide.do'
  return isFirstApproval ? proposeWords[outcome as 'approved' | 'final'] : outcomeLabels[outcome].act
}

/** What an approval still requires, or why this reviewer cannot give one. */
function BeforeApproval({
  kycCase,
  todo,
  todoId,
}: {
  kycCase: KycCaseDetail
  todo: readonly PlainKey[]
  todoId: string
}) {
  const { t } = useMessages()
  const open = currentPhotos(kycCase).filter(({ verdict }) => verdict === 'open').length
  const refused = refusedPhotos(kycCase).length
  return (
    <>
      {(open > 0 || refused > 0) && (
        <p className={caseStyles.quiet}>{t('review.unjudged', { open, refused })}</p>
      )}
      {kycCase.isApprovalBarred && <p className={caseStyles.quiet}>{t('review.approve.barred')}</p>}
      {!kycCase.isApprovalBarred && todo.length > 0 && (
        <p className={caseStyles.quiet} id={todoId} role="status">
          {t('review.approve.first', {
            todo: todo.map((each) => t(each)).join(t('forms.missing.separator')),
          })}
        </p>
      )}
    </>
  )
}

type PartProps = { kycCase: KycCaseDetail; decision: Decision }

function OutcomeChoice({ kycCase, decision, todoId }: PartProps & { todoId: string }) {
  const { t, language } = useMessages()
  const group = useId()
  const { outcome, setOutcome, approvals, approvalsFor, todo } = decision
  const helpOf = (each: Outcome): string => {
    if (each === 'final' && approvals.final.isFirst) return t('review.final.help.two')
    if (each === 'approved' && approvals.approved.isFirst) return t('review.approve.help.two')
    if (each === 'approved' && kycCase.approvalTakesTwo)
      return t('review.approve.help.second', {
        name: staffName(kycCase.approvalProposedBy?.name || '–', language),
      })
    return t(outcomeLabels[each].help)
  }
  return (
    <fieldset className={styles.outcomes}>
      <legend>{t('review.decide.outcome')}</legend>
      {outcomes
        .filter((each) => !approvalsFor(each).isTaken)
        .map((each) => (
          <label key={each} className={styles.outcome}>
            <input
              type="radio"
              name={group}
              checked={outcome === each}
              aria-describedby={each === 'approved' && todo.length > 0 ? todoId : undefined}
              onChange={() => setOutcome(each)}
            />
            <span>
              {t(outcomeLabels[each].name)}
              {outcomeLabels[each].key && <KeyHint of={outcomeLabels[each].key} />}
              <small>{helpOf(each)}</small>
            </span>
          </label>
        ))}
    </fieldset>
  )
}

/** The text to the applicant, which can start from a template or from the reasons for rejecting photos. */
function Reason({ kycCase, decision, field }: PartProps & { field: RefObject<HTMLTextAreaElement | null> }) {
  const { t, nameValue } = useMessages()
  const { outcome, reason, setReason } = decision
  const refused = refusedPhotos(kycCase)
  if (outcome === '' || outcome === 'approved') return null
  const reasonOfPhotos = () =>
    refused.map(({ n, reason: why }) => nameValue(t('review.photo', { number: n + 1 }), why ?? '')).join('\n')
  return (
    <div className={styles.why}>
      <ReasonTemplate of={outcome} language={kycCase.memberLanguage} onChoose={setReason} />
      <TextArea
        ref={field}
        label={
          <>
            {t('review.reason')}
            <KeyHint of="reason" />
          </>
        }
        maxLength={boundsOf(decideKycCase.body.shape.reason).maxLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      {refused.length > 0 && (
        <TextButton onClick={() => setReason(reasonOfPhotos())}>{t('review.reason.photos')}</TextButton>
      )}
    </div>
  )
}
