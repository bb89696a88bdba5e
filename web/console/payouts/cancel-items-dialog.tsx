import { useState } from 'react'
import { cancelPayout, type PayoutDetail, type PayoutItem } from '#contract/money/payouts.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { RadioField } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import type { DialogTools } from '../detail/detail-actions.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import { ItemChoice } from './item-choice.tsx'

type Props = DialogTools<PayoutDetail> & {
  run: PayoutDetail
  /** The deliveries without a transaction. */
  items: readonly PayoutItem[]
}

type Extent = 'whole' | 'some'

/** Whether no one else can confirm the cancellation. */
const isAlone = (failure: unknown): boolean =>
  failure instanceof CallFailed && failure.errors.some(({ code }) => code === 'second_person')

/** Proposes to cancel an exported run, or some of its deliveries, because nothing was sent. */
export function CancelItemsDialog({ run, items, finish, onFailure, onClose }: Props) {
  const { t } = useMessages()
  // If a transaction is recorded for one of them, the run can't be canceled as a whole.
  const isWholePossible = items.length === run.list.filter(({ state }) => state !== 'released').length
  const [extent, setExtent] = useState<Extent>(isWholePossible ? 'whole' : 'some')
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [isChecked, setChecked] = useState(false)
  const [hasNobody, setNobody] = useState(false)
  const isSome = extent === 'some'
  return (
    <ReasonDialog
      title={t('consolePayouts.propose.title', { number: run.number })}
      label={t('consolePayouts.propose.confirm')}
      kind="danger"
      text={t('consolePayouts.propose.text')}
      reason={{
        label: t('consolePayouts.reason'),
        help: t('consolePayouts.propose.reason.help'),
        schema: cancelPayout.body.shape.reason,
      }}
      step={(reason) => {
        setChecked(true)
        if (isSome && chosen.size === 0) return null
        return call(cancelPayout, {
          params: { id: run.id },
          body: { reason, ...(isSome && { deliveryIds: [...chosen] }) },
        })
      }}
      onDone={finish(t('consolePayouts.propose.done'))}
      onFailure={(failure) => {
        setNobody(isAlone(failure))
        return isAlone(failure) || onFailure(failure)
      }}
      onClose={onClose}
    >
      {isWholePossible && <ExtentField chosen={extent} onChoose={setExtent} />}
      {isSome && (
        <ItemChoice
          label={t('consolePayouts.propose.choice')}
          items={items}
          chosen={chosen}
          error={isChecked && chosen.size === 0 ? t('consolePayouts.choose.none') : undefined}
          onChoose={choose}
        />
      )}
      {hasNobody && (
        <Message kind="bad" role="alert">
          {t('consolePayouts.propose.nobody')}
        </Message>
      )}
    </ReasonDialog>
  )
}

function ExtentField({ chosen, onChoose }: { chosen: Extent; onChoose: (extent: Extent) => void }) {
  const { t } = useMessages()
  return (
    <RadioField
      label={t('consolePayouts.propose.extent')}
      options={[
        { value: 'whole', label: t('consolePayouts.propose.whole') },
        { value: 'some', label: t('consolePayouts.propose.some') },
      ]}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
