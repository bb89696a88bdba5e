import type { ReactNode } from 'react'
import type { ApplicationDetail } from '#contract/console-ambassadors.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { DecliningFields, useDeclining, type Declining } from './declining-fields.tsx'

/** Asks for the reason, and whether the applicant will read it. */
export function DeclineDialog({
  name,
  language,
  note,
  step,
  ...rest
}: {
  name: string
  /** The language of the email. */
  language: string
  /** Shown at the top. */
  note: ReactNode
  step: (given: Declining) => Promise<ApplicationDetail>
  onDone: (done: ApplicationDetail) => void
  onFailure: (failure: unknown) => boolean
  onClose: () => void
}) {
  const { t } = useMessages()
  const declining = useDeclining()
  return (
    <ConfirmDialog
      {...rest}
      title={t('consoleAmbassadors.decline.title', { name })}
      label={t('consoleAmbassadors.decline.label')}
      kind="danger"
      step={() => {
        const given = declining.take()
        return given && step(given)
      }}
    >
      {note}
      <p>{t('consoleAmbassadors.decline.text', { language })}</p>
      <DecliningFields of={declining} />
    </ConfirmDialog>
  )
}
