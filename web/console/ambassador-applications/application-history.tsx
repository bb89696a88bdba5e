import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Timeline, type TimelineEvent } from '../timeline/timeline.tsx'

/** Past steps, newest first. */
export function ApplicationHistory({ application }: { application: ApplicationDetail }) {
  const { t } = useMessages()
  const { steps, createdAt, sentAgainAt } = application
  const events = steps.map(({ id, kind, at, by, to }): TimelineEvent => ({
    key: id,
    at,
    what: t(`consoleAmbassadors.step.${kind}`, { name: to ?? t('console.formerColleague') }),
    by: by ?? t('console.formerColleague'),
  }))
  return (
    <Timeline
      events={[
        ...events,
        ...(sentAgainAt
          ? [{ key: 'sentAgain', at: sentAgainAt, what: t('consoleAmbassadors.step.sentAgain') }]
          : []),
        { key: 'sent', at: createdAt, what: t('consoleAmbassadors.step.sent') },
      ]}
    />
  )
}
