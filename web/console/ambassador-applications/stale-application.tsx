import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { languageLabel } from '../language-label.ts'
import { StaleState, type StateLines } from '../stale-state.tsx'

/**
 * The application as it was read, next to its current state: a colleague acted first, or the applicant sent another
 * one.
 */
export function StaleApplication({ seen, now }: { seen: ApplicationDetail; now: ApplicationDetail }) {
  const { t } = useMessages()
  return <StaleState seen={linesOf(seen, t)} now={linesOf(now, t)} />
}

const linesOf = (application: ApplicationDetail, t: UsedMessages['t']): StateLines => [
  ['consoleAmbassadors.state', t(`consoleAmbassadors.state.${application.status}`)],
  [
    'consoleAmbassadors.assignee',
    application.assignee
      ? (application.assignee.name ?? t('console.formerColleague'))
      : t('consoleAmbassadors.assignee.nobody'),
  ],
  ['consoleAmbassadors.name', application.fullName],
  ['consoleAmbassadors.city', application.city],
  ['consoleAmbassadors.country', application.country],
  ['consoleAmbassadors.language', languageLabel(t, application.language)],
  ['consoleAmbassadors.social', application.socialMedia.join(', ') || '–'],
  ['consoleAmbassadors.why', application.description || '–'],
]
