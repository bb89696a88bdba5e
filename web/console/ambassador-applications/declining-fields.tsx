import { useState } from 'react'
import { declineAmbassadorApplication } from '#contract/console-ambassadors.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Checkbox, TextArea } from '../../ui/field.tsx'

type Declining = { reason: string; isReasonTold: boolean }

/**
 * The reason, and whether the applicant will read it. `take` returns null while the reason is missing, and the field
 * then shows an error.
 */
export function useDeclining() {
  const [reason, setReason] = useState('')
  const [isReasonTold, setTold] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const take = (): Declining | null => {
    setMissing(!reason.trim())
    return reason.trim() ? { reason: reason.trim(), isReasonTold } : null
  }
  return { reason, setReason, isReasonTold, setTold, isMissing: isMissing && !reason.trim(), take }
}

export function DecliningFields({ of }: { of: ReturnType<typeof useDeclining> }) {
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
