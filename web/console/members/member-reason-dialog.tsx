import type { ComponentProps } from 'react'
import { setMemberActive } from '#contract/console-members.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'

type Props<Done> = Omit<ComponentProps<typeof ReasonDialog<Done>>, 'reason'> & { reasonLabel?: string }

/** Asks why a staff member acts on an account. */
export function MemberReasonDialog<Done>({ reasonLabel, ...rest }: Props<Done>) {
  const { t } = useMessages()
  const reason = {
    label: reasonLabel ?? t('consoleMembers.reason'),
    help: t('consoleMembers.reason.help'),
    schema: setMemberActive.body.shape.reason,
  }
  return <ReasonDialog {...rest} reason={reason} />
}
