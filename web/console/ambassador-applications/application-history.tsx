import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useWords } from '../../i18n/words.tsx'
import { Timeline, type Happened } from '../timeline/timeline.tsx'

/** Past steps, newest first. */
export function ApplicationHistory({ application }: { application: ApplicationDetail }) {
  const { t } = useWords()
  const { steps, createdAt, sentAgainAt } = application
  const happened = steps.map(({ id, kind, at, by, to }): Happened => ({
    key: id,
    at,
    what: t(`consoleAmbassadors.step.${kind}`, { name: to ?? t('console.formerColleague') }),
    by: by ?? t('console.formerColleague'),
  }))
  return (
    <Timeline
      happened={[
        ...happened,
        ...(sentAgainAt
          ? [{ key: 'sentAgain', at: sentAgainAt, what: t('consoleAmbassadors.step.sentAgain') }]
          : []),
        { key: 'sent', at: createdAt, what: t('consoleAmbassadors.step.sent') },
      ]}
    />
  )
}
