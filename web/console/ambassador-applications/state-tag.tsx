import type { AmbassadorState } from '#contract/ambassadors.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag, type TagColour } from '../../ui/tag.tsx'

const colours: Readonly<Record<AmbassadorState, TagColour>> = {
  received: 'yellow',
  in_review: 'verdigris',
  accepted: 'green',
  declined: 'quiet',
}

export function StateTag({ status }: { status: AmbassadorState }) {
  const { t } = useWords()
  return <Tag colour={colours[status]}>{t(`consoleAmbassadors.state.${status}`)}</Tag>
}
