import type { AnnouncementState } from '#contract/announcements.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import { useSchedule, type Schedule } from '../schedule/use-schedule.ts'
import styles from './post-form.module.css'
import type { Intent } from './save-post.ts'

/** Actions next to the form's submit button. `state` is null for a new post. */
export function PublishWays({
  state,
  isReady,
  planningId,
  isPlanning,
  onPlanning,
  onIntent,
}: {
  state: AnnouncementState | null
  isReady: boolean
  planningId: string
  isPlanning: boolean
  onPlanning: (isPlanning: boolean) => void
  onIntent: (intent: Intent) => void
}) {
  const { t } = useMessages()
  if (state === 'published' || state === 'deleted') return null
  return (
    <>
      {state === null ? (
        <Button kind="quiet" disabled={!isReady} onClick={() => onIntent({ kind: 'draft' })}>
          {t('newsroom.form.draft')}
        </Button>
      ) : (
        <Button kind="quiet" disabled={!isReady} onClick={() => onIntent({ kind: 'publish' })}>
          {t('newsroom.form.publish')}
        </Button>
      )}
      <Button
        kind="quiet"
        aria-expanded={isPlanning}
        aria-controls={isPlanning ? planningId : undefined}
        onClick={() => onPlanning(!isPlanning)}
      >
        {t(state === 'scheduled' ? 'newsroom.form.reschedule' : 'newsroom.form.schedule')}
      </Button>
    </>
  )
}

/** When the post will be published. */
export function Planning({
  id,
  planned,
  isReady,
  serverError,
  onIntent,
}: {
  id: string
  planned: Schedule | null
  isReady: boolean
  serverError: string | undefined
  onIntent: (intent: Intent) => void
}) {
  const { t } = useMessages()
  const schedule = useSchedule(planned)
  const action = planned ? 'reschedule' : 'schedule'
  function plan() {
    const read = schedule.read()
    if (read) onIntent({ kind: 'schedule', ...read })
  }
  return (
    <div id={id} className={styles.planning} role="group" aria-label={t(`newsroom.${action}.heading`)}>
      <ScheduleFields of={schedule} serverError={serverError} />
      <div>
        <Button kind="quiet" disabled={!isReady} onClick={plan}>
          {t(`newsroom.${action}.submit`)}
        </Button>
      </div>
    </div>
  )
}
