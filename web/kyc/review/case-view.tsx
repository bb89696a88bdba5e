import { useState } from 'react'
import { assignKycCase, decideKycCase, getKycCase, type KycCaseDetail } from '#contract/kyc-review.ts'
import { call } from '../../call.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { LoadFailed } from '../../loaded/load-failed.tsx'
import { useLoaded } from '../../loaded/use-loaded.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextArea } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { stateWords } from '../state-words.ts'
import { CasePhotos } from './case-photos.tsx'
import { Findings } from './findings.tsx'
import styles from './review.module.css'

type Decision = { status: 'approved' | 'rejected' | 'more_info'; isFinal?: boolean }

type Props = { id: string; officerId: string; mayDecide: boolean; onClose: () => void }

/** One case: who has it, what was said, the photos, what stands beside it, and the decision. */
export function CaseView({ id, officerId, mayDecide, onClose }: Props) {
  const { t } = useWords()
  const [failure, setFailure] = useState<unknown>()
  const loaded = useLoaded(id, () => call(getKycCase, { params: { id } }))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { data: shown, reload } = loaded
  const isMine = shown.assignee?.id === officerId
  const others = shown.assignee && !isMine ? shown.assignee : null
  const isOpen = shown.status === 'submitted' || shown.status === 'in_review'

  async function act(work: () => Promise<unknown>) {
    setFailure(undefined)
    try {
      await work()
      reload()
    } catch (cause) {
      setFailure(cause)
    }
  }
  const assign = (to: 'me' | 'nobody') =>
    act(() => call(assignKycCase, { params: { id }, body: { to, takeOver: true } }))
  return (
    <section className={styles.case} aria-labelledby="case-name">
      <p>
        <TextButton onClick={onClose}>{t('review.back')}</TextButton>
      </p>
      <h2 id="case-name">{shown.firstName}</h2>
      {others && <p>{t('review.others', { name: others.name })}</p>}
      {isMine && <p>{t('review.mine')}</p>}
      {shown.finalProposedBy && !shown.isFinal && (
        <p>{t('review.finalProposed', { name: shown.finalProposedBy.name })}</p>
      )}
      {mayDecide && isOpen && (
        <div className={styles.actions}>
          {isMine ? (
            <Button kind="quiet" onClick={() => void assign('nobody')}>
              {t('review.giveBack')}
            </Button>
          ) : (
            <Button kind="quiet" onClick={() => void assign('me')}>
              {others ? t('review.takeOver', { name: others.name }) : t('review.take')}
            </Button>
          )}
        </div>
      )}
      <CaseFacts shown={shown} />
      <CasePhotos
        shown={shown}
        mayJudge={mayDecide && isOpen && !others}
        onJudged={reload}
        onFailed={setFailure}
      />
      <Findings shown={shown} />
      {mayDecide && isOpen && !others && (
        <Deciding
          onDecide={(decision, reason, note) =>
            act(() => call(decideKycCase, { params: { id }, body: { ...decision, reason, note } }))
          }
        />
      )}
      <FormStatus id="case-failure" error={failure === undefined ? undefined : failureWords(t, failure)} />
    </section>
  )
}

function CaseFacts({ shown }: { shown: KycCaseDetail }) {
  const { t, formatDateTime } = useWords()
  const facts = [
    ['review.status', t(stateWords[shown.status])],
    ['kyc.createdAt', formatDateTime(shown.createdAt)],
    ['review.age', t('review.age.hours', { hours: shown.ageHours })],
    ['forms.email.label', shown.email],
    ['kyc.country', shown.country],
    ['kyc.ethAddress', shown.ethAddress],
    ['kyc.btcAddress', shown.btcAddress],
    ['kyc.reason', shown.reason],
    ['review.note', shown.note ?? ''],
  ] as const
  return (
    <Facts
      facts={facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => ({ name: label, label: t(label), value }))}
    />
  )
}

function Deciding({
  onDecide,
}: {
  onDecide: (decision: Decision, reason: string, note: string) => Promise<void>
}) {
  const { t } = useWords()
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const decide = (decision: Decision) => void onDecide(decision, reason, note)
  const needsReason = reason.trim() === ''
  return (
    <div className={styles.deciding}>
      <TextArea
        label={t('review.reason')}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextArea
        label={t('review.note')}
        maxLength={5000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className={styles.actions}>
        <Button onClick={() => decide({ status: 'approved' })}>{t('review.approve')}</Button>
        <Button kind="quiet" disabled={needsReason} onClick={() => decide({ status: 'more_info' })}>
          {t('review.more')}
        </Button>
        <Button kind="danger" disabled={needsReason} onClick={() => decide({ status: 'rejected' })}>
          {t('review.reject')}
        </Button>
        <Button
          kind="danger"
          disabled={needsReason}
          onClick={() => decide({ status: 'rejected', isFinal: true })}
        >
          {t('review.final')}
        </Button>
      </div>
    </div>
  )
}
