import type { AmbassadorState } from '#contract/ambassadors.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'

const colours: Readonly<Record<AmbassadorState, TagColor>> = {
  received: 'yellow',
  in_review: 'verdigris',
  accepted: 'green',
  declined: 'quiet',
}

export function StateTag({ status }: { status: AmbassadorState }) {
  const { t } = useMessages()
  return <Tag colour={colours[status]}>{t(`consoleAmbassadors.state.${status}`)}</Tag>
}
