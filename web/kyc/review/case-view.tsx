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
import { useWords } from '../../i18n/words.tsx'
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
import { Rounds } from './case/rounds.tsx'
import { canUndo, UndoDecision } from './decision/undo-decision.tsx'
import { Findings } from './case/findings.tsx'
import { TakeOver } from './case/take-over.tsx'
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
  const { t } = useWords()
  const loaded = useLoaded(id, () => call(getKycCase, { params: { id } }))
  const shown = loaded.state === 'ready' ? loaded.data : undefined
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
      <CaseHead {...props} shown={shown ?? props.known} />
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {isOwn && <Empty role="alert" title={t('review.own')} />}
      {loaded.state === 'failed' && !isOwn && (
        <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {shown && loaded.state === 'ready' && <OpenCase {...props} shown={shown} setShown={loaded.setData} />}
    </article>
  )
}

function doneAs(outcome: Outcome, changed: KycCase): Done {
  if (outcome === 'final' && !changed.isFinal) return 'proposed'
  return outcome === 'approved' && changed.status !== 'approved' ? 'approval_proposed' : outcome
}

function OpenCase(props: Props & { shown: KycCaseDetail; setShown: (shown: KycCaseDetail) => void }) {
  const { id, filter, nextToDecide, officerId, mayDecide, drafts, shown, setShown, onChanged, onStep } = props
  const { t } = useWords()
  const [draft, setDraft] = useState(() => drafts.get(id) ?? noDraft)
  const assigning = useAction()
  const deciding = useAction()
  const error = assigning.error ?? deciding.error
  const [conflict, setConflict] = useState<string>()
  const [done, setDone] = useState<Done>()
  const [isTakingOver, setIsTakingOver] = useState(false)
  const [version, setVersion] = useState(0)

  const isOthers = shown.assignee !== null && shown.assignee.id !== officerId
  // Reviewers cannot handle their own case or a case with which they have a conflict of interest.
  const isSubject = shown.memberId === officerId || shown.isBarred
  const isTheirs = mayDecide && isWaiting(shown.status) && !isOthers && !isSubject
  const mayWork = isTheirs && !shown.isDeleted
  const mayAnswer = isTheirs && !done && shown.isDeleted && shown.finalProposedBy?.id !== officerId

  const mayUndo = mayDecide && !done && !isSubject && canUndo(shown)

  const keep = (changed: Draft) => {
    drafts.set(id, changed)
    setDraft(changed)
  }
  /** Two responses can arrive together, so each is applied to the result of the other. */
  const latest = useRef(shown)
  useLayoutEffect(() => {
    latest.current = shown
  }, [shown])
  const put = (changed: Partial<KycCaseDetail>) => {
    latest.current = { ...latest.current, ...changed }
    setShown(latest.current)
  }
  const settle = (changed: KycCase) => {
    put(changed)
    onChanged(changed)
    if (changed.status !== shown.status) onStep()
    setVersion((before) => before + 1)
  }
  /** If another reviewer acted first, the case is shown as they left it. */
  async function showConflict(cause: unknown) {
    const isConflict = cause instanceof CallFailed && cause.code === 'conflict'
    const now = isConflict && (await call(getKycCase, { params: { id } }).catch(() => undefined))
    if (!now) throw cause
    setConflict(await explainConflict(t, now, shown, officerId))
    setShown(now)
    onChanged(now)
    setVersion((before) => before + 1)
  }
  const begin = () => {
    assigning.forget()
    deciding.forget()
    setConflict(undefined)
  }
  const assign = (to: 'me' | 'nobody', takeOver: boolean) => {
    begin()
    setIsTakingOver(false)
    const body = { to, takeOver }
    return assigning.run(() => call(assignKycCase, { params: { id }, body }).then(settle, showConflict))
  }
  async function decide(outcome: Outcome) {
    begin()
    const isFinal = outcome === 'final'
    const status = isFinal ? 'rejected' : outcome
    const reason = outcome === 'approved' ? '' : draft.reason
    const { note } = draft
    const body = { status, isFinal, round: shown.round, reason, ...(note !== undefined && { note }) }
    await deciding.run(() =>
      call(decideKycCase, { params: { id }, body }).then((changed) => {
        drafts.delete(id)
        settle(changed)
        setDone(doneAs(outcome, changed))
      }, showConflict),
    )
  }
  const take = () => (isOthers ? setIsTakingOver(true) : void assign('me', false))
  const mayTake = mayDecide && isWaiting(shown.status) && !shown.isDeleted && shown.assignee?.id !== officerId
  useKeys({ take: mayTake && !isSubject ? take : undefined })
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
          shown={shown}
          officerId={officerId}
          mayDecide={mayDecide}
          isBusy={assigning.isBusy}
          onTake={take}
          onGiveBack={() => void assign('nobody', false)}
        />
      )}
      <div className={styles.desk}>
        <div className={styles.photos}>
          {shown.photoCount === 0 ? (
            <p className={styles.quiet}>{t('review.photo.gone')}</p>
          ) : (
            <CasePhotos
              // Photos must be viewed again in a new submission.
              key={shown.round}
              shown={shown}
              mayReview={mayWork && !done}
              onReviewed={(reviewed) => {
                begin()
                const photos = latest.current.photos.map((each) => (each.n === reviewed.n ? reviewed : each))
                put({ photos })
                // The first photo verdict starts the review.
                settle({ ...latest.current, status: 'in_review' })
              }}
              onFailed={async (cause) => void (await deciding.run(() => showConflict(cause)))}
            />
          )}
        </div>
        <div className={styles.data}>
          <CaseFacts shown={shown} />
          <Rounds rounds={shown.rounds} />
          <Findings
            shown={shown}
            filter={filter}
            mayRead={mayWork && !done}
            onRead={settle}
            onChanged={(now) => {
              setShown(now)
              onChanged(now)
            }}
          />
          {mayWork && !done && (
            <DecisionForm
              shown={shown}
              draft={draft}
              onChange={keep}
              onDecide={decide}
              officerId={officerId}
            />
          )}
          {mayAnswer && (
            <AnswerProposal
              shown={shown}
              onAnswered={(changed, answer) => {
                begin()
                settle(changed)
                onStep()
                setDone(answer)
              }}
              onFailed={showConflict}
            />
          )}
          {mayUndo && (
            <UndoDecision
              shown={shown}
              officerId={officerId}
              onUndone={(changed, undone) => {
                begin()
                settle(changed)
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
      <TakeOver
        isOpen={isTakingOver}
        name={shown.assignee?.name ?? ''}
        onCancel={() => setIsTakingOver(false)}
        onConfirm={() => void assign('me', true)}
      />
    </>
  )
}
