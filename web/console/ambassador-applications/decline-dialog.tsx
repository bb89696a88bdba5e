import { useState } from 'react'
import { declineAmbassadorApplication, type ApplicationDetail } from '#contract/people/console-ambassadors.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox, TextArea } from '../../kernel/ui/field.tsx'
import { useUndo } from '../../kernel/actions/use-undo.ts'
import type { DialogTools } from '../detail/detail-actions.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'

/**
 * The reason, and whether the applicant will read it. `take` returns null while the reason is missing, and the field
 * then shows an error.
 */
function useDeclining() {
  const [reason, setReason] = useState('')
  const [isReasonTold, setTold] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const take = () => {
    setMissing(!reason.trim())
    return reason.trim() ? { reason: reason.trim(), isReasonTold } : null
  }
  return { reason, setReason, isReasonTold, setTold, isMissing: isMissing && !reason.trim(), take }
}

function DecliningFields({ of }: { of: ReturnType<typeof useDeclining> }) {
  const { t } = useMessages()
  return (
    <>
      <TextArea
        label={t('consoleAmbassadors.reason')}
        help={t(of.isReasonTold ? 'consoleAmbassadors.reason.toldHelp' : 'consoleAmbassadors.reason.help')}
        error={of.isMissing ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(declineAmbassadorApplication.body.shape.reason).maxLength}
        value={of.reason}
        onChange={({ target }) => of.setReason(target.value)}
      />
      <Checkbox
        label={t('consoleAmbassadors.reason.tell')}
        checked={of.isReasonTold}
        onChange={({ target }) => of.setTold(target.checked)}
      />
    </>
  )
}

export function DeclineDialog({
  application: { id, fullName, language, lastUpdated },
  note,
  attempt,
  finish,
  ...rest
}: DialogTools<ApplicationDetail> & { application: ApplicationDetail }) {
  const { t } = useMessages()
  const declining = useDeclining()
  const undo = useUndo()
  return (
    <ConfirmDialog
      {...rest}
      title={t('consoleAmbassadors.decline.title', { name: fullName })}
      {...undo.confirming(
        t('consoleAmbassadors.decline.label'),
        (send) => {
          const given = declining.take()
          if (!given) return null
          const body = { lastUpdated, ...given }
          return attempt(send(declineAmbassadorApplication, { params: { id }, body }))
        },
        rest.onFailure,
      )}
      kind="danger"
      onDone={finish(t('consoleAmbassadors.decline.done'))}
    >
      {note}
      <p>{t('consoleAmbassadors.decline.text', { language: languageLabel(t, language) })}</p>
      <DecliningFields of={declining} />
      <p>{undo.note}</p>
    </ConfirmDialog>
  )
}
