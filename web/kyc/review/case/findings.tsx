import { useState } from 'react'
import {
  getKycCase,
  type KycCase,
  type KycCaseDetail,
  readKycScreening,
} from '#contract/people/kyc-review.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { pathToCase, type QueueSearch } from '../review-address.ts'
import { reviewStates } from '../review-states.ts'
import styles from './case.module.css'

type Why = KycCaseDetail['refusals'][number]['why'][number]

type Props = ScreeningProps & { queue?: QueueSearch }

/** Findings for the reviewer: matches with other members and with screening lists. */
export function Findings({ kycCase, queue, ...screening }: Props) {
  const { t, formatDate } = useMessages()
  const { duplicates, refusals } = kycCase
  const list = (why: readonly Why[]) =>
    why.map((each) => t(`review.why.${each}`)).join(t('forms.missing.separator'))
  return (
    <section className={styles.part} aria-labelledby="case-checks">
      <h2 id="case-checks">{t('review.checks')}</h2>
      {refusals.length > 0 && (
        <div className={styles.check}>
          <h3>{t('review.refusals')}</h3>
          <ul className={styles.rows}>
            {refusals.map(({ id, at, isFinal, why }) => (
              <li key={id}>
                <div>
                  <strong>
                    {t(isFinal ? 'review.refusals.final' : 'review.refusals.proposed', {
                      date: formatDate(at),
                      why: list(why),
                    })}
                  </strong>
                  {isFinal && <a href={pathToCase(id, queue)}>{t('review.refusals.open')}</a>}
                </div>
                <Tag colour="red">{t('review.flags.refused')}</Tag>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.check}>
        <h3>{t('review.duplicates')}</h3>
        {duplicates.length === 0 && <p className={styles.quiet}>{t('review.duplicates.none')}</p>}
        <ul className={styles.rows}>
          {duplicates.map(({ id, name, status, why }) => (
            <li key={id}>
              <div>
                <a
                  href={pathToCase(id, queue)}
                  aria-label={t('review.duplicates.open', { name: name || '–' })}
                >
                  {name || '–'}
                </a>
                <span>{t('review.duplicates.why', { why: list(why) })}</span>
              </div>
              <Tag colour={reviewStates[status].colour}>{t(reviewStates[status].words)}</Tag>
            </li>
          ))}
        </ul>
      </div>
      {!kycCase.isDeleted && <Screening kycCase={kycCase} {...screening} />}
    </section>
  )
}

type ScreeningProps = {
  kycCase: KycCaseDetail
  /** Whether the reviewer can mark it as read: the case is pending, and unassigned or assigned to them. */
  mayRead: boolean
  onRead?: (marked: KycCase) => void
  /** Called if the result has changed in the meantime. */
  onChanged?: (now: KycCaseDetail) => void
}

/** The screening lists and the matches. An approval requires that a reviewer has read them. */
function Screening({ kycCase, mayRead, onRead, onChanged }: ScreeningProps) {
  const { t, language } = useMessages()
  const reading = useAction()
  const [isOther, setIsOther] = useState(false)
  const { _id: id, screening, screeningReadAt, screeningReadBy } = kycCase
  const { state, hash } = screening

  async function showOther(cause: unknown) {
    const isConflict = cause instanceof CallFailed && cause.code === 'conflict'
    const now = isConflict && (await call(getKycCase, { params: { id } }).catch(() => undefined))
    if (!now) throw cause
    setIsOther(now.screening.hash !== hash)
    onChanged?.(now)
  }
  const read = () => {
    setIsOther(false)
    void reading.run(() => call(readKycScreening, { params: { id }, body: { hash } }).then(onRead, showOther))
  }
  return (
    <div className={styles.check}>
      <h3>{t('review.screening')}</h3>
      <Comparison kycCase={kycCase} />
      <Matches matches={screening.matches} />
      <div aria-live="polite">
        {isOther && <p>{t('review.screening.changed')}</p>}
        {reading.error && <p>{reading.error}</p>}
        {screeningReadAt && (
          <p>
            ✓{' '}
            {t('review.screening.readBy', {
              name: screeningReadBy?.name || '–',
              at: formatMoment(screeningReadAt, language),
            })}
          </p>
        )}
      </div>
      {!screeningReadAt && mayRead && state !== 'unreadable' && (
        <>
          <p className={styles.quiet}>{t('review.screening.unread')}</p>
          <div className={styles.actions}>
            <Button kind="quiet" busy={reading.isBusy} onClick={read}>
              {t('review.screening.read')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** The lists that the applicant was compared with, and what limits the comparison. */
function Comparison({ kycCase }: { kycCase: KycCaseDetail }) {
  const { t } = useMessages()
  const { state, lists, matches, isPartial } = kycCase.screening
  const isCompared = state === 'compared'
  return (
    <>
      {state === 'no_list' && <p>{t('review.screening.noList')}</p>}
      {state === 'unreadable' && <Message kind="bad">{t('review.screening.unreadable')}</Message>}
      {lists.map(({ name, date, entries, isOld }) => (
        <p key={name} className={styles.quiet}>
          {t('review.screening.list', { name, date, count: entries })}
          {isOld && <strong> · {t('review.screening.old')}</strong>}
        </p>
      ))}
      {isCompared && matches.length === 0 && !isPartial && <p>{t('review.screening.none')}</p>}
      {isPartial && <p>{t('review.screening.isPartial')}</p>}
      {isCompared && kycCase.dateOfBirth === '' && <p>{t('review.screening.noBirth')}</p>}
    </>
  )
}

/** Entries of the lists with a similar name, and how similar each is. */
function Matches({ matches }: { matches: KycCaseDetail['screening']['matches'] }) {
  const { t } = useMessages()
  return (
    <>
      <ul className={styles.rows}>
        {matches.map(({ name, born, score, list, isBornOtherwise }) => (
          <li key={`${list} ${name} ${born}`}>
            <div>
              <strong>{name}</strong>
              <span>
                {born
                  ? `${list} · ${t(isBornOtherwise ? 'review.screening.bornOtherwise' : 'review.screening.born', { born })}`
                  : list}
              </span>
            </div>
            <div className={styles.score}>
              <span>{t('review.screening.score', { score })}</span>
              <meter min={0} max={100} value={score} aria-hidden="true" />
            </div>
          </li>
        ))}
      </ul>
      {matches.some(({ isBornOtherwise }) => isBornOtherwise) && (
        <p className={styles.quiet}>{t('review.screening.bornOtherwise.help')}</p>
      )}
    </>
  )
}
