import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { useWords, type UsedWords } from '../../i18n/words.tsx'
import { languageInWords } from '../language-in-words.ts'
import { StaleState, type StateLines } from '../stale-state.tsx'

/**
 * The application as it was read, next to its current state: a colleague acted first, or the applicant sent another
 * one.
 */
export function StaleApplication({ seen, now }: { seen: ApplicationDetail; now: ApplicationDetail }) {
  const { t } = useWords()
  return <StaleState seen={linesOf(seen, t)} now={linesOf(now, t)} />
}

const linesOf = (application: ApplicationDetail, t: UsedWords['t']): StateLines => [
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
  ['consoleAmbassadors.language', languageInWords(t, application.language)],
  ['consoleAmbassadors.social', application.socialMedia.join(', ') || '–'],
  ['consoleAmbassadors.why', application.description || '–'],
]
