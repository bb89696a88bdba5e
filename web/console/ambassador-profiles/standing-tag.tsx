import type { AmbassadorStanding } from '#contract/console-ambassador-profiles.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag } from '../../ui/tag.tsx'
import { standingWords } from './standing-words.ts'

export function StandingTag({ standing }: { standing: AmbassadorStanding }) {
  const { t } = useWords()
  const { colour, words } = standingWords[standing]
  return <Tag colour={colour}>{t(words)}</Tag>
}
