import { useState, type ReactNode } from 'react'
import { setMemberActive } from '#contract/console-members.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { TextArea } from '../../ui/field.tsx'

type Props<Done> = {
  title: string
  text: ReactNode
  label: string
  reasonLabel?: string
  kind?: 'primary' | 'danger'
  /** Null if something besides the reason is missing. */
  step: (reason: string) => Promise<Done> | null
  onDone: (done: Done) => void
  onFailure?: (failure: unknown) => boolean
  onClose: () => void
  /** Said above all else. */
  note?: ReactNode
  children?: ReactNode
}

/** Asks why before an action: it does not begin without a reason. */
export function ReasonDialog<Done>({ text, reasonLabel, step, note, children, ...rest }: Props<Done>) {
  const { t } = useWords()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <ConfirmDialog
      {...rest}
      step={() => {
        setMissing(!reason.trim())
        return reason.trim() ? step(reason.trim()) : null
      }}
    >
      {note}
      <p>{text}</p>
      {children}
      <TextArea
        label={reasonLabel ?? t('consoleMembers.reason')}
        help={t('consoleMembers.reason.help')}
        error={isMissing && !reason.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(setMemberActive.body.shape.reason).maxLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}
