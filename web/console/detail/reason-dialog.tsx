import { useState, type ComponentProps, type ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextArea } from '../../kernel/ui/field.tsx'

/** Label, help, and schema of the reason field. */
export type ReasonField = { label: string; help: string; schema: ZodMiniType }

type Props<Done> = Omit<ComponentProps<typeof ConfirmDialog<Done>>, 'step' | 'children'> & {
  text: ReactNode
  reason: ReasonField
  /** Returns null if input other than the reason is missing. */
  step: (reason: string) => Promise<Done> | null
  /** Shown at the top. */
  note?: ReactNode
  children?: ReactNode
}

/** Asks for a reason, which is required to start the action. */
export function ReasonDialog<Done>({ text, reason, step, note, children, ...rest }: Props<Done>) {
  const { t } = useMessages()
  const [given, setGiven] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <ConfirmDialog
      {...rest}
      step={() => {
        setMissing(!given.trim())
        return given.trim() ? step(given.trim()) : null
      }}
    >
      {note}
      <p>{text}</p>
      {children}
      <TextArea
        label={reason.label}
        help={reason.help}
        error={isMissing && !given.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(reason.schema).maxLength}
        value={given}
        onChange={({ target }) => setGiven(target.value)}
      />
    </ConfirmDialog>
  )
}
