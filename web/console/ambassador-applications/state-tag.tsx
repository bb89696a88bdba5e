import type { AmbassadorState } from '#contract/ambassadors.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag } from '../../ui/tag.tsx'
import { stateWords } from './application-words.ts'

export function StateTag({ status }: { status: AmbassadorState }) {
  const { t } = useWords()
  const { colour, words } = stateWords[status]
  return <Tag colour={colour}>{t(words)}</Tag>
}
