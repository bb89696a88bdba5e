import { useState } from 'react'
import { confirmPayoutItems, type PayoutDetail, type PayoutItem } from '#contract/money/payouts.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import type { DialogTools } from '../detail/detail-actions.tsx'
import { allOf, ItemChoice } from './item-choice.tsx'

type Props = DialogTools<PayoutDetail> & { run: PayoutDetail; items: readonly PayoutItem[] }

/** Finance confirms that the network has the transactions, which can't be undone. */
export function ConfirmItemsDialog({ run: { id, number }, items, finish, onFailure, onClose }: Props) {
  const { t } = useMessages()
  const [chosen, choose] = useState(() => allOf(items))
  const [isChecked, setChecked] = useState(false)
  return (
    <ConfirmDialog
      title={t('consolePayouts.confirm.title', { number })}
      label={t('consolePayouts.confirm.label')}
      step={() => {
        setChecked(true)
        if (chosen.size === 0) return null
        return call(confirmPayoutItems, { params: { id }, body: { deliveryIds: [...chosen] } })
      }}
      onDone={finish(t('consolePayouts.confirm.done'))}
      onFailure={onFailure}
      onClose={onClose}
    >
      <p>{t('consolePayouts.confirm.text')}</p>
      <ItemChoice
        label={t('consolePayouts.confirm.choice')}
        items={items}
        chosen={chosen}
        error={isChecked && chosen.size === 0 ? t('consolePayouts.choose.none') : undefined}
        onChoose={choose}
      />
    </ConfirmDialog>
  )
}
