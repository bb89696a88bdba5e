import { useState } from 'react'
import {
  createOrderDeliveries,
  holdDelivery,
  releaseDelivery,
  type ConsoleDelivery,
} from '#contract/money/console-deliveries.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { problemMessage } from '../../kernel/forms/problem-message.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { TextArea } from '../../kernel/ui/field.tsx'

export type DeliveryAct =
  | { name: 'hold' | 'release'; delivery: ConsoleDelivery }
  | { name: 'create'; orderId: string; reference: string }

type Props = { act: DeliveryAct; onDone: () => void; onClose: () => void }

const send = (act: DeliveryAct, reason: string): Promise<unknown> => {
  const body = { reason }
  if (act.name === 'create') return call(createOrderDeliveries, { params: { id: act.orderId }, body })
  const params = { id: act.delivery.id }
  return act.name === 'hold' ? call(holdDelivery, { params, body }) : call(releaseDelivery, { params, body })
}

/** Asks for the reason of an act on a delivery. If a colleague acted first, it closes and shows the current status. */
export function DeliveryDialog({ act, onDone, onClose }: Props) {
  const { t } = useMessages()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const reference = act.name === 'create' ? act.reference : act.delivery.reference
  function begin() {
    const given = reason.trim()
    setProblem(given === '' ? problemMessage(t, 'required') : undefined)
    return given === '' ? null : send(act, given)
  }
  function showFailure(failure: unknown): boolean {
    if (!(failure instanceof CallFailed)) return false
    if (failure.code === 'conflict' || failure.code === 'not_found') {
      onClose()
      showNotice(t('consoleDeliveries.changed'), 'error')
      onDone()
      return true
    }
    const ofReason = failure.errors.find(({ path }) => path === 'reason')
    setProblem(ofReason?.message)
    return ofReason !== undefined
  }
  return (
    <ConfirmDialog
      title={t(`consoleDeliveries.${act.name}.title`, { reference })}
      label={t(`consoleDeliveries.${act.name}.confirm`)}
      step={begin}
      onFailure={showFailure}
      onDone={() => {
        showNotice(t(`consoleDeliveries.${act.name}.done`), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(`consoleDeliveries.${act.name}.text`)}</p>
      <TextArea
        label={t('consoleDeliveries.reason')}
        rows={2}
        required
        maxLength={boundsOf(holdDelivery.body.shape.reason).maxLength}
        error={problem}
        value={reason}
        onChange={({ target }) => setReason(target.value.replaceAll(/\s*\n\s*/g, ' '))}
      />
    </ConfirmDialog>
  )
}
