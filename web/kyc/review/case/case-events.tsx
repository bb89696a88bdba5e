import { listKycCaseEvents, type CaseEvent } from '#contract/people/kyc-review.ts'
import { call } from '../../../kernel/call/call.ts'
import type { KeyTaking } from '../../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { LoadFailed } from '../../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../../kernel/actions/use-loaded.ts'
import { Loading } from '../../../kernel/ui/loading.tsx'
import { reviewStates } from '../review-states.ts'
import styles from './case.module.css'

const eventLabels: Readonly<Record<CaseEvent['what'], KeyTaking<'name' | 'number' | 'state'>>> = {
  submitted: 'review.event.submitted',
  step: 'review.event.step',
  taken: 'review.event.taken',
  taken_over: 'review.event.takenOver',
  given_back: 'review.event.givenBack',
  photo_accepted: 'review.event.photoAccepted',
  photo_refused: 'review.event.photoRefused',
  screening_read: 'review.event.screeningRead',
  approval_proposed: 'review.event.approvalProposed',
  final_proposed: 'review.event.finalProposed',
  lift_proposed: 'review.event.liftProposed',
  lift_taken_back: 'review.event.liftTakenBack',
  lifted: 'review.event.lifted',
  refusal_shared: 'review.event.refusalShared',
  noted: 'review.event.noted',
  viewed: 'review.event.viewed',
  photo_viewed: 'review.event.photoViewed',
  exported: 'review.event.exported',
  photos_destroyed: 'review.event.photosDestroyed',
}
const viewKinds: readonly CaseEvent['what'][] = ['viewed', 'photo_viewed', 'exported']

/** The actions on a case and, separately, the views. A new `version` reloads them. */
export function CaseEvents({ id, version }: { id: string; version: number }) {
  const { t } = useMessages()
  const loaded = useLoaded(`${id} ${version}`, () => call(listKycCaseEvents, { params: { id } }))
  return (
    <section className={styles.part} aria-labelledby="case-events">
      <h2 id="case-events">{t('review.events')}</h2>
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('review.events.failed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {loaded.state === 'ready' && <Events events={loaded.data} />}
    </section>
  )
}

export function Events({ events }: { events: readonly CaseEvent[] }) {
  const { t } = useMessages()
  const views = events.filter(({ what }) => viewKinds.includes(what))
  return (
    <>
      <EventList events={events.filter(({ what }) => !viewKinds.includes(what))} />
      <details className={styles.views}>
        <summary>{t('review.views', { count: views.length })}</summary>
        <EventList events={views} />
      </details>
    </>
  )
}

export function EventList({ events }: { events: readonly CaseEvent[] }) {
  const { t, language } = useMessages()
  return (
    <ol className={styles.timeline}>
      {events.map(({ at, what, by, to, reason, photo }, index) => (
        <li key={`${events.length - index}`}>
          <time dateTime={at}>{formatMoment(at, language)}</time>
          <span>
            {t(eventLabels[what === 'step' && to === 'submitted' && !by ? 'submitted' : what], {
              name: by || t(to === 'expired' ? 'review.event.system' : 'review.event.applicant'),
              state: to ? t(reviewStates[to].words) : '',
              number: (photo ?? 0) + 1,
            })}
          </span>
          {reason && <q className={styles.lines}>{reason}</q>}
        </li>
      ))}
    </ol>
  )
}
