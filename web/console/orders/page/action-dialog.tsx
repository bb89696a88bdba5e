import { useState } from 'react'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import type { FieldError } from '#contract/errors.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { useWords } from '../../../i18n/words.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { Checkbox, TextArea, TextField } from '../../../ui/field.tsx'
import { FormStatus, Message } from '../../../ui/form-status.tsx'
import styles from '../orders.module.css'
import type { ActionField, OrderAction } from './action.ts'
import { Stale, whenStale } from '../../when-stale.ts'
import { StaleOrder } from './stale-order.tsx'

type Props = {
  action: OrderAction
  detail: ConsoleOrderDetail
  onDone: () => void
  onNow: (detail: ConsoleOrderDetail) => void
  /** Whether the same button would still do the same to the order as it is now. */
  isStill: (now: ConsoleOrderDetail) => boolean
  onClose: () => void
}

/**
 * Asks before acting. Where somebody else was faster it shows what was seen and what is, and keeps what was typed, unless what was
 * asked for would be something else now: that is asked anew.
 */
export function ActionDialog({ action, detail, onDone, onNow, isStill, onClose }: Props) {
  const { t, language } = useWords()
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(action.fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const [now, setNow] = useState<ConsoleOrderDetail>()
  const [isShared, setShared] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const { exactAmount, currency } = detail.order
  const due =
    exactAmount === null
      ? undefined
      : t('consoleOrders.record.due', { amount: formatDecimal(exactAmount, language), coin: currency })
  const shown = action.fields.map(({ name }) => name)
  const elsewhere = problems.filter(({ path }) => !shown.includes(path))
  return (
    <ConfirmDialog
      title={t(action.title, { reference: detail.order.reference })}
      label={t(action.confirm)}
      kind={action.kind ?? 'primary'}
      {...(action.dismiss && { dismissLabel: t(action.dismiss) })}
      step={() => {
        setProblems([])
        return whenStale(action.run(values, now ?? detail, isShared), () =>
          call(getConsoleOrder, { params: { id: detail.id } }),
        )
      }}
      onDone={onDone}
      onClose={onClose}
      onFailure={(failure) => {
        if (failure instanceof Stale) {
          const found = failure.now as ConsoleOrderDetail
          onNow(found)
          if (isStill(found)) setNow(found)
          else {
            onClose()
            showNotice(t('consoleOrders.stale.other'), 'error')
          }
          return true
        }
        if (!(failure instanceof CallFailed) || failure.errors.length === 0) return false
        setProblems(failure.errors.filter(({ code }) => code !== 'tx_used'))
        if (failure.errors.some(({ code }) => code === 'tx_used')) setUsed(true)
        return true
      }}
    >
      <p>{t(action.text)}</p>
      {action.warning && <Message kind="note">{t(action.warning)}</Message>}
      {now && <StaleOrder seen={detail} now={now} />}
      <div className={styles.fields}>
        {action.fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            help={field.saysDue && due}
            value={values[field.name] ?? ''}
            error={problems.find(({ path }) => path === field.name)?.message}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {isUsed && (
          <Checkbox
            help={t('consoleOrders.record.used')}
            label={t('consoleOrders.record.shared')}
            checked={isShared}
            onChange={({ target }) => setShared(target.checked)}
          />
        )}
      </div>
      <FormStatus error={elsewhere.map(({ message }) => message).join(' ')} />
    </ConfirmDialog>
  )
}

type FieldProps = {
  field: ActionField
  help: string | undefined
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function OneField({ field: { label, schema, kind }, help, value, error, onChange }: FieldProps) {
  const { t } = useWords()
  if (kind === 'lines')
    return (
      <TextArea
        label={t(label)}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        error={error}
        value={value}
        onChange={({ target }) => onChange(target.value.replaceAll(/\s*\n\s*/g, ' '))}
      />
    )
  if (kind === 'day')
    return (
      <TextField
        label={t(label)}
        type="date"
        error={error}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  if (kind === 'moment')
    return (
      <TextField
        label={t(label)}
        type="datetime-local"
        error={error}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <TextField
      label={t(label)}
      help={help}
      autoComplete="off"
      spellCheck={false}
      maxLength={boundsOf(schema).maxLength}
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
