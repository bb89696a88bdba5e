import { useState } from 'react'
import { txIdLengthMax } from '#contract/money/orders.ts'
import type { PayoutDetail, PayoutItem } from '#contract/money/payouts.ts'
import { LongTextField } from '../../kernel/forms/long-text.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { allOf, ItemChoice } from './item-choice.tsx'
import { RecordDialog } from './record-dialog.tsx'

type Props = {
  run: PayoutDetail
  items: readonly PayoutItem[]
  onChanged: () => void
  onClose: () => void
}

/** Records one transaction for the deliveries that it paid, such as a multisig transaction for all of them. */
export function RecordOneDialog({ run, items, onChanged, onClose }: Props) {
  const { t } = useMessages()
  const [chosen, choose] = useState(() => allOf(items.filter(({ txId }) => txId === '')))
  const [txId, setTxId] = useState('')
  const [isChecked, setChecked] = useState(false)
  const paid = items.filter(({ deliveryId }) => chosen.has(deliveryId))
  return (
    <RecordDialog
      run={run}
      title={t('consolePayouts.recordOne.title', { number: run.number })}
      read={() => {
        setChecked(true)
        if (paid.length === 0 || !txId.trim()) return null
        return paid.map(({ reference }) => ({ reference, txId: txId.trim() }))
      }}
      onChanged={onChanged}
      onClose={onClose}
    >
      <p>{t('consolePayouts.recordOne.text')}</p>
      <LongTextField
        label={t('consolePayouts.txId')}
        error={isChecked && !txId.trim() ? t('field.required') : undefined}
        maxLength={txIdLengthMax}
        value={txId}
        onChange={({ target }) => setTxId(target.value)}
      />
      <ItemChoice
        label={t('consolePayouts.recordOne.choice')}
        items={items}
        chosen={chosen}
        error={isChecked && paid.length === 0 ? t('consolePayouts.choose.none') : undefined}
        onChoose={choose}
      />
    </RecordDialog>
  )
}
