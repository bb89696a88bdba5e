import type { ConsoleMember } from '#contract/people/console-members.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Tag, type TagColor } from '../kernel/ui/tag.tsx'

const kycColors: Record<ConsoleMember['kyc'], TagColor> = {
  none: 'quiet',
  submitted: 'yellow',
  in_review: 'yellow',
  approved: 'green',
  rejected: 'red',
  more_info: 'yellow',
  expired: 'quiet',
  withdrawn: 'quiet',
}

/** The identity status of a member. */
export function KycTag({ kyc }: Pick<ConsoleMember, 'kyc'>) {
  const { t } = useMessages()
  return <Tag colour={kycColors[kyc]}>{t(`consoleMembers.kyc.${kyc}`)}</Tag>
}
