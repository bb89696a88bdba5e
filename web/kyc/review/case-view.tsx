import { useLayoutEffect, useRef, useState } from 'react'
import {
  assignKycCase,
  decideKycCase,
  getKycCase,
  type KycCase,
  type KycCaseDetail,
} from '#contract/kyc-review.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useAction } from '../../actions/use-action.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { navigate } from '../../navigation/navigate.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useKeys } from './keys/use-keys.ts'
import { pathToCase, pathToQueue, type QueueFilter } from './review-address.ts'
import { isWaiting } from './review-states.ts'
import { CasePhotos } from './viewer/case-photos.tsx'
import { CaseDone, type Done } from './decision/case-done.tsx'
import { Attention } from './case/attention.tsx'
import { CaseEvents } from './case/case-events.tsx'
import { CaseExport } from './case/case-export.tsx'
import { CaseFacts } from './case/case-details.tsx'
import { CaseHead, CaseOwner } from './case/case-head.tsx'
import { AnswerProposal } from './decision/answer-proposal.tsx'
import { Conflict, explainConflict } from './decision/conflict.tsx'
import { DecisionForm } from './decision/decision-form.tsx'
import { noDraft, type Draft, type Outcome } from './decision/draft.ts'
import { Submissions } from './case/submissions.tsx'
import { canUndo, UndoDecision } from './decision/undo-decision.tsx'
import { Findings } from './case/findings.tsx'
import { ReassignDialog } from './case/reassign-dialog.tsx'
import styles from './case/case.module.css'

type Props = {
  id: string
  filter: QueueFilter
  /** The case and its neighbors, if the queue has loaded them. */
  known: KycCase | undefined
  previous: KycCase | undefined
  next: KycCase | undefined
  nextToDecide: KycCase | undefined
  usualHours: number | null
  officerId: string
  mayDecide: boolean
  drafts: Map<string, Draft>
  onChanged: (changed: KycCase) => void
  /** Called when the case's status has changed, and therefore the queue's counts. */
  onStep: () => void
  onKeys: () => void
}

/** One case: the data next to the photos, its history, and the decision. */
export function CaseView(props: Props) {
  const { id, filter, previous, next } = props
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getKycCase, { params: { id } }))
  const kycCase = loaded.state === 'ready' ? loaded.data : undefined
  // Members who see this page can read every other case.
  const isOwn =
    loaded.state === 'failed' && loaded.failure instanceof CallFailed && loaded.failure.code === 'forbidden'
  const goTo = (path: string) => void navigate(path)
  useKeys({
    back: () => goTo(pathToQueue(filter)),
    next: next && (() => goTo(pathToCase(next._id, filter))),
    previous: previous && (() => goTo(pathToCase(previous._id, filter))),
  })
  return (
    <article className={styles.case}>
      <CaseHead {...props} kycCase={kycCase ?? props.known} />
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {isOwn && <Empty role="alert" title={t('review.own')} />}
      {loaded.state === 'failed' && !isOwn && (
        <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {kycCase && loaded.state === 'ready' && (
        <OpenCase {...props} kycCase={kycCase} setKycCase={loaded.setData} />
      )}
    </article>
  )
}

function doneAs(outcome: Outcome, changed: KycCase): Done {
  if (outcome === 'final' && !changed.isFinal) return 'proposed'
  return outcome === 'approved' && changed.status !== 'approved' ? 'approval_proposed' : outcome
}

function OpenCase(props: Props & { kycCase: KycCaseDetail; setKycCase: (kycCase: KycCaseDetail) => void }) {
  const { id, filter, nextToDecide, officerId, mayDecide, drafts, kycCase, setKycCase, onChanged, onStep } =
    props
  const { t } = useMessages()
  const [draft, setDraft] = useState(() => drafts.get(id) ?? noDraft)
  const assigning = useAction()
  const deciding = useAction()
  const error = assigning.error ?? deciding.error
  const [conflict, setConflict] = useState<string>()
  const [done, setDone] = useState<Done>()
  const [isTakingOver, setIsTakingOver] = useState(false)
  const [version, setVersion] = useState(0)

  const isAssignedToOther = kycCase.assignee !== null && kycCase.assignee.id !== officerId
  // Reviewers cannot handle their own case or a case with which they have a conflict of interest.
  const isSubject = kycCase.memberId === officerId || kycCase.isBarred
  const isTheirs = mayDecide && isWaiting(kycCase.status) && !isAssignedToOther && !isSubject
  const mayWork = isTheirs && !kycCase.isDeleted
  const mayAnswer = isTheirs && !done && kycCase.isDeleted && kycCase.finalProposedBy?.id !== officerId

  const mayUndo = mayDecide && !done && !isSubject && canUndo(kycCase)

  const keep = (changed: Draft) => {
    drafts.set(id, changed)
    setDraft(changed)
  }
  /** Two responses can arrive together, so each is applied to the result of the other. */
  const latest = useRef(kycCase)
  useLayoutEffect(() => {
    latest.current = kycCase
  }, [kycCase])
  const put = (changed: Partial<KycCaseDetail>) => {
    latest.current = { ...latest.current, ...changed }
    setKycCase(latest.current)
  }
  const applyChange = (changed: KycCase) => {
    put(changed)
    onChanged(changed)
    if (changed.status !== kycCase.status) onStep()
    setVersion((before) => before + 1)
  }
  /** If another reviewer acted first, the case is shown as they left it. */
  async function showConflict(cause: unknown) {
    const isConflict = cause instanceof CallFailed && cause.code === 'conflict'
    const now = isConflict && (await call(getKycCase, { params: { id } }).catch(() => undefined))
    if (!now) throw cause
    setConflict(await explainConflict(t, now, kycCase, officerId))
    setKycCase(now)
    onChanged(now)
    setVersion((before) => before + 1)
  }
  const begin = () => {
    assigning.reset()
    deciding.reset()
    setConflict(undefined)
  }
  const assign = (to: 'me' | 'nobody', takeOver: boolean) => {
    begin()
    setIsTakingOver(false)
    const body = { to, takeOver }
    return assigning.run(() => call(assignKycCase, { params: { id }, body }).then(applyChange, showConflict))
  }
  async function decide(outcome: Outcome) {
    begin()
    const isFinal = outcome === 'final'
    const status = isFinal ? 'rejected' : outcome
    const reason = outcome === 'approved' ? '' : draft.reason
    const { note } = draft
    const body = { status, isFinal, round: kycCase.round, reason, ...(note !== undefined && { note }) }
    await deciding.run(() =>
      call(decideKycCase, { params: { id }, body }).then((changed) => {
        drafts.delete(id)
        applyChange(changed)
        setDone(doneAs(outcome, changed))
      }, showConflict),
    )
  }
  const take = () => (isAssignedToOther ? setIsTakingOver(true) : void assign('me', false))
  const canAssign =
    mayDecide && isWaiting(kycCase.status) && !kycCase.isDeleted && kycCase.assignee?.id !== officerId
  useKeys({ take: canAssign && !isSubject ? take : undefined })
  return (
    <>
      {done && <CaseDone done={done} next={nextToDecide} filter={filter} />}
      {conflict && <Conflict what={conflict} typed={mayWork ? undefined : draft} />}
      {error && (
        <Attention>
          <p>{error}</p>
        </Attention>
      )}
      {!done && (
        <CaseOwner
          kycCase={kycCase}
          officerId={officerId}
          mayDecide={mayDecide}
          isBusy={assigning.isBusy}
          onAssign={take}
          onUnassign={() => void assign('nobody', false)}
        />
      )}
      <div className={styles.desk}>
        <div className={styles.photos}>
          {kycCase.photoCount === 0 ? (
            <p className={styles.quiet}>{t('review.photo.gone')}</p>
          ) : (
            <CasePhotos
              // Photos must be viewed again in a new submission.
              key={kycCase.round}
              kycCase={kycCase}
              mayReview={mayWork && !done}
              onReviewed={(reviewed) => {
                begin()
                const photos = latest.current.photos.map((each) => (each.n === reviewed.n ? reviewed : each))
                put({ photos })
                // The first photo verdict starts the review.
                applyChange({ ...latest.current, status: 'in_review' })
              }}
              onFailed={async (cause) => void (await deciding.run(() => showConflict(cause)))}
            />
          )}
        </div>
        <div className={styles.data}>
          <CaseFacts kycCase={kycCase} />
          <Submissions rounds={kycCase.rounds} />
          <Findings
            kycCase={kycCase}
            filter={filter}
            mayRead={mayWork && !done}
            onRead={applyChange}
            onChanged={(now) => {
              setKycCase(now)
              onChanged(now)
            }}
          />
          {mayWork && !done && (
            <DecisionForm
              kycCase={kycCase}
              draft={draft}
              onChange={keep}
              onDecide={decide}
              officerId={officerId}
            />
          )}
          {mayAnswer && (
            <AnswerProposal
              kycCase={kycCase}
              onAnswered={(changed, answer) => {
                begin()
                applyChange(changed)
                onStep()
                setDone(answer)
              }}
              onFailed={showConflict}
            />
          )}
          {mayUndo && (
            <UndoDecision
              kycCase={kycCase}
              officerId={officerId}
              onUndone={(changed, undone) => {
                begin()
                applyChange(changed)
                setDone(undone)
              }}
              onFailed={showConflict}
            />
          )}
          {done !== 'proposal_dropped' && <CaseEvents id={id} version={version} />}
          {mayDecide && done !== 'proposal_dropped' && (
            <CaseExport id={id} onExported={() => setVersion((before) => before + 1)} />
          )}
        </div>
      </div>
      <ReassignDialog
        isOpen={isTakingOver}
        name={kycCase.assignee?.name ?? ''}
        onCancel={() => setIsTakingOver(false)}
        onConfirm={() => void assign('me', true)}
      />
    </>
  )
}
