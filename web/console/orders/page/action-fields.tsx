import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { boundsOf } from '../../../forms/field-bounds.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import type { ActionField, ReasonNeed } from './action.ts'
import type { Entries } from './use-entries.ts'

type Props = { fields: readonly ActionField[]; entries: Entries; detail: ConsoleOrderDetail }

export function ActionFields({ fields, entries, detail }: Props) {
  const { t, language } = useMessages()
  const { exactAmount, currency } = detail.order
  const { values } = entries
  const due =
    exactAmount === null
      ? undefined
      : t('consoleOrders.record.due', { amount: formatDecimal(exactAmount, language), coin: currency })
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      help={field.showsDue ? due : field.need && needText(t, field.need(values), detail)}
      value={values[field.name] ?? ''}
      error={entries.problemOf(field.name)}
      onChange={(value) => entries.edit(field.name, value)}
    />
  ))
}

const needWords = {
  none: 'consoleOrders.reason.notNeeded',
  colleagues: 'consoleOrders.reason.forColleagues',
  change: 'consoleOrders.reason.needsChange',
  statement: 'consoleOrders.reason.needsStatement',
  gift: 'consoleOrders.reason.needsSecondPerson',
  paid: 'consoleOrders.reason.needsPaid',
} as const satisfies Record<Exclude<ReasonNeed, 'difference'>, PlainKey>

const needText = (t: UsedMessages['t'], need: ReasonNeed, { tolerancePercent }: ConsoleOrderDetail): string =>
  need === 'difference'
    ? t('consoleOrders.reason.needsDifference', { percent: tolerancePercent })
    : t(needWords[need])

type FieldProps = {
  field: ActionField
  help: string | undefined
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const inputTypes = { day: 'date', moment: 'datetime-local' } as const

function OneField({ field: { label, schema, kind, max }, help, value, error, onChange }: FieldProps) {
  const { t } = useMessages()
  const shared = { label: t(label), error, value }
  if (kind === 'lines')
    return (
      <TextArea
        {...shared}
        help={help}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        onChange={({ target }) => onChange(target.value.replaceAll(/\s*\n\s*/g, ' '))}
      />
    )
  if (kind === 'day' || kind === 'moment')
    return (
      <TextField
        {...shared}
        type={inputTypes[kind]}
        max={max}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <TextField
      {...shared}
      help={help}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'decimal' ? 'decimal' : undefined}
      maxLength={boundsOf(schema).maxLength}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
