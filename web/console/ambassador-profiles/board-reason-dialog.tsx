import type { ComponentProps } from 'react'
import { boardReason } from '#contract/ambassador-profiles.ts'
import { CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'

type Props<Done> = Omit<ComponentProps<typeof ReasonDialog<Done>>, 'reason' | 'onFailure'> & {
  onStale: () => void
}

/** Asks for the reason that is emailed to the ambassador. */
export function BoardReasonDialog<Done>({ onStale, onClose, ...rest }: Props<Done>) {
  const { t } = useMessages()
  return (
    <ReasonDialog
      {...rest}
      reason={{
        label: t('consoleAmbassadorProfiles.reason'),
        help: t('consoleAmbassadorProfiles.reason.help'),
        schema: boardReason,
      }}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed) || failure.code !== 'conflict') return false
        onClose()
        onStale()
        return true
      }}
      onClose={onClose}
    />
  )
}
