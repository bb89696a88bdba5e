import { useState } from 'react'
import { boardReason } from '#contract/ambassador-profiles.ts'
import { CallFailed } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { TextArea } from '../../ui/field.tsx'

/** Asks for the reason that is mailed to the ambassador: without one nothing begins. */
export function ReasonAsked<Done>({
  title,
  text,
  label,
  kind = 'primary',
  step,
  onDone,
  onStale,
  onClose,
}: {
  title: string
  text: string
  label: string
  kind?: 'primary' | 'danger'
  step: (reason: string) => Promise<Done>
  onDone: (done: Done) => void
  onStale: () => void
  onClose: () => void
}) {
  const { t } = useWords()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <ConfirmDialog
      title={title}
      label={label}
      kind={kind}
      step={() => {
        setMissing(!reason.trim())
        return reason.trim() ? step(reason.trim()) : null
      }}
      onDone={onDone}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed) || failure.code !== 'conflict') return false
        onClose()
        onStale()
        return true
      }}
      onClose={onClose}
    >
      <p>{text}</p>
      <TextArea
        label={t('consoleAmbassadorProfiles.reason')}
        help={t('consoleAmbassadorProfiles.reason.help')}
        error={isMissing && !reason.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(boardReason).maxLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}
