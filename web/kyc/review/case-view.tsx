import { useState } from 'react'
import {
  addKycCaseNote,
  getKycCase,
  listKycCaseReaders,
  removeKycCaseNote,
} from '#contract/people/kyc-review.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConversationLink } from '../../conversations/conversation-link.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { StaffNotes } from '../../kernel/staff-notes/staff-notes.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { Attention } from './case/attention.tsx'
import { CaseFacts } from './case/case-details.tsx'
import { CaseEvents } from './case/case-events.tsx'
import { CaseExport } from './case/case-export.tsx'
import { CaseHead, CaseOwner } from './case/case-head.tsx'
import { Findings } from './case/findings.tsx'
import { Submissions } from './case/submissions.tsx'
import { AnswerProposal } from './decision/answer-proposal.tsx'
import { CaseDone } from './decision/case-done.tsx'
import { Conflict } from './decision/conflict.tsx'
import { DecisionForm } from './decision/decision-form.tsx'
import { canUndo, UndoDecision } from './decision/undo-decision.tsx'
import styles from './case/case.module.css'
import { useKeys } from './keys/use-keys.ts'
import { pathToCase, pathToQueue } from './review-address.ts'
import { isWaiting } from './review-states.ts'
import { type CaseProps, type OpenCaseProps, useCaseActions } from './use-case-actions.ts'
import { CasePhotos } from './viewer/case-photos.tsx'

/** One case: the data next to the photos, its history, and the decision. */
export function CaseView(props: CaseProps) {
  const { id, queue, previous, next } = props
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getKycCase, { params: { id } }))
  const kycCase = loaded.state === 'ready' ? loaded.data : undefined
  // Members who see this page can read every other case.
  const isOwn =
    loaded.state === 'failed' && loaded.failure instanceof CallFailed && loaded.failure.code === 'forbidden'
  const goTo = (path: string) => void navigate(path)
  useKeys({
    back: () => goTo(pathToQueue(queue)),
    next: next && (() => goTo(pathToCase(next._id, queue))),
    previous: previous && (() => goTo(pathToCase(previous._id, queue))),
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

/** What the reviewer may do with the case. */
function permissionsFor({ kycCase, officerId, mayDecide }: OpenCaseProps) {
  const { assignee, isDeleted, finalProposedBy } = kycCase
  const isAssignedToOther = assignee !== null && assignee.id !== officerId
  // Reviewers cannot handle their own case or a case with which they have a conflict of interest.
  const isSubject = kycCase.memberId === officerId || kycCase.isBarred
  const mayHandle = mayDecide && isWaiting(kycCase.status) && !isSubject
  const isTheirs = mayHandle && !isAssignedToOther
  return {
    isAssignedToOther,
    mayTake: mayHandle && !isDeleted && assignee?.id !== officerId,
    mayWork: isTheirs && !isDeleted,
    mayAnswer: isTheirs && isDeleted && finalProposedBy?.id !== officerId,
    mayUndo: mayDecide && !isSubject && canUndo(kycCase),
  }
}

type PartProps = OpenCaseProps & { actions: ReturnType<typeof useCaseActions> }

/** A loaded case with its photos, data, history, and decision. */
function OpenCase(props: OpenCaseProps) {
  const { queue, nextToDecide, officerId, mayDecide, kycCase } = props
  const actions = useCaseActions(props)
  const { done, conflict, error } = actions
  const [isTakingOver, setIsTakingOver] = useState(false)
  const { isAssignedToOther, mayTake, mayWork } = permissionsFor(props)
  const assign = (to: 'me' | 'nobody', takeOver: boolean) => {
    setIsTakingOver(false)
    void actions.assign(to, takeOver)
  }
  const take = () => (isAssignedToOther ? setIsTakingOver(true) : assign('me', false))
  useKeys({ take: mayTake ? take : undefined })
  return (
    <>
      {done && <CaseDone done={done} next={nextToDecide} queue={queue} />}
      {conflict && <Conflict what={conflict} typed={mayWork ? undefined : actions.draft} />}
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
          isBusy={actions.isAssigning}
          onAssign={take}
          onUnassign={() => assign('nobody', false)}
        />
      )}
      <div className={styles.desk}>
        <div className={styles.photos}>
          <Photos {...props} actions={actions} />
        </div>
        <div className={styles.data}>
          <Data {...props} actions={actions} />
          <Decisions {...props} actions={actions} />
          <Notes {...props} />
          <History {...props} actions={actions} />
        </div>
      </div>
      <ReassignDialog
        isOpen={isTakingOver}
        name={kycCase.assignee?.name ?? ''}
        onCancel={() => setIsTakingOver(false)}
        onConfirm={() => assign('me', true)}
      />
    </>
  )
}

function Photos({ actions, ...props }: PartProps) {
  const { kycCase } = props
  const { t } = useMessages()
  if (kycCase.photoCount === 0) return <p className={styles.quiet}>{t('review.photo.gone')}</p>
  return (
    <CasePhotos
      // Photos must be viewed again in a new submission.
      key={kycCase.round}
      kycCase={kycCase}
      mayReview={permissionsFor(props).mayWork && !actions.done}
      onReviewed={actions.applyPhotoVerdict}
      onFailed={actions.failPhotoVerdict}
    />
  )
}

function Data({ actions, ...props }: PartProps) {
  const { kycCase, queue, setKycCase, onChanged } = props
  const { t } = useMessages()
  return (
    <>
      <CaseFacts kycCase={kycCase} />
      <section className={styles.part} aria-labelledby="case-messages">
        <h2 id="case-messages">{t('consoleConversations.part')}</h2>
        <ConversationLink about="identity" of={kycCase._id} ownerId={kycCase.memberId} />
      </section>
      <Submissions rounds={kycCase.rounds} />
      <Findings
        kycCase={kycCase}
        queue={queue}
        mayRead={permissionsFor(props).mayWork && !actions.done}
        onRead={actions.applyChange}
        onChanged={(now) => {
          setKycCase(now)
          onChanged(now)
        }}
      />
    </>
  )
}

/** The form that fits the case: to decide it, to answer a proposal, or to undo a decision. */
function Decisions({ actions, ...props }: PartProps) {
  const { kycCase, officerId, onStep } = props
  const { mayWork, mayAnswer, mayUndo } = permissionsFor(props)
  if (actions.done) return null
  return (
    <>
      {mayWork && (
        <DecisionForm
          kycCase={kycCase}
          draft={actions.draft}
          onChange={actions.keepDraft}
          onDecide={actions.decide}
          officerId={officerId}
        />
      )}
      {mayAnswer && (
        <AnswerProposal
          kycCase={kycCase}
          onAnswered={(changed, answer) => {
            actions.finish(changed, answer)
            onStep()
          }}
          onFailed={actions.showConflict}
        />
      )}
      {mayUndo && (
        <UndoDecision
          kycCase={kycCase}
          officerId={officerId}
          onUndone={actions.finish}
          onFailed={actions.showConflict}
        />
      )}
    </>
  )
}

/** Notes of colleagues, which aren't part of the decision. */
function Notes({ id, kycCase, mayDecide, setKycCase }: OpenCaseProps) {
  const { t } = useMessages()
  return (
    <section className={styles.part} aria-labelledby="case-notes">
      <h2 id="case-notes">{t('console.notes')}</h2>
      <StaffNotes
        notes={kycCase.notes}
        draft={`case ${id}`}
        help={t('console.notes.private')}
        schema={addKycCaseNote.body.shape.text}
        mayAct={mayDecide && !kycCase.isBarred}
        colleagues={() => call(listKycCaseReaders, { params: { id } })}
        add={(text, mentions) => call(addKycCaseNote, { params: { id }, body: { text, mentions } })}
        remove={(noteId) => call(removeKycCaseNote, { params: { id, noteId } })}
        onChanged={({ notes }) => setKycCase({ ...kycCase, notes })}
      />
    </section>
  )
}

function History({ id, mayDecide, actions }: PartProps) {
  const { done, version, refreshEvents } = actions
  if (done === 'proposal_dropped') return null
  return (
    <>
      <CaseEvents id={id} version={version} />
      {mayDecide && <CaseExport id={id} onExported={refreshEvents} />}
    </>
  )
}

type Props = { isOpen: boolean; name: string; onCancel: () => void; onConfirm: () => void }

/** Another reviewer may be working on the case, so reassigning it requires confirmation. */
function ReassignDialog({ isOpen, name, onCancel, onConfirm }: Props) {
  const { t } = useMessages()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={t('review.takeOver.title', { name })}
      actions={
        <>
          <Button kind="quiet" onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
          <Button onClick={onConfirm}>{t('review.takeOver.confirm')}</Button>
        </>
      }
    >
      <p>{t('review.takeOver.text', { name })}</p>
    </Dialog>
  )
}
