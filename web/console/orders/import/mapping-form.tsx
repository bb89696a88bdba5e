import { useState, type FormEvent } from 'react'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import {
  dateFormats,
  numberFormats,
  statementFields,
  statementMapping,
  type StatementField,
  type StatementMapping,
  type SuggestedMapping,
} from '#contract/money/statements.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Select, TextField } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import styles from '../orders.module.css'
const help: Readonly<Partial<Record<StatementField, PlainKey>>> = {
  amount: 'consoleOrders.mapping.amount.help',
  direction: 'consoleOrders.mapping.direction.help',
  status: 'consoleOrders.mapping.status.help',
  complete: 'consoleOrders.mapping.complete.help',
}
const numberLabels = { plain: '1200.5', point: '1,200.50', comma: '1.200,50' } as const
const dateLabels = { iso: '2036-05-31', dmy: '31.05.2036', mdy: '05/31/2036' } as const
/** One of these fields identifies the order of a line. */
const matching = ['reference', 'txId', 'address'] as const

/** Maps columns to fields. This is required only once per statement layout. */
export function MappingForm({
  columns,
  initial,
  isBusy,
  onMapped,
}: {
  columns: ImportPlan['columns']
  initial: SuggestedMapping
  isBusy: boolean
  onMapped: (mapping: StatementMapping) => void
}) {
  const { t } = useMessages()
  const { mapping, change, choose, lacks, isMissing, submit } = useMapping(initial, onMapped)
  const chosen = mapping.columns
  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <div className={styles.mapping}>
        {statementFields.map((field) => (
          <Select
            key={field}
            label={t(`consoleOrders.mapping.${field}`)}
            help={help[field] && t(help[field])}
            error={
              (field === 'amount' &&
                isMissing &&
                lacks.amount &&
                t('consoleOrders.mapping.missing.amount')) ||
              (field === 'reference' && isMissing && lacks.match && t('consoleOrders.mapping.missing.match'))
            }
            value={chosen[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <ColumnOptions columns={columns} />
          </Select>
        ))}
        {chosen.currency === undefined && (
          <TextField
            label={t('consoleOrders.mapping.allAmounts')}
            help={t('consoleOrders.mapping.allAmounts.help')}
            error={isMissing && lacks.currency && t('consoleOrders.mapping.missing.currency')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={boundsOf(statementMapping.shape.currency).maxLength}
            value={mapping.currency ?? ''}
            onChange={({ target }) => change({ currency: target.value })}
          />
        )}
        <FormatSelect
          label={t('consoleOrders.mapping.numbers')}
          help={initial.numbers === null && t('consoleOrders.mapping.numbers.help')}
          error={isMissing && lacks.numbers && t('consoleOrders.mapping.missing.numbers')}
          formats={numberFormats}
          labels={numberLabels}
          value={mapping.numbers}
          onChange={(numbers) => change({ numbers })}
        />
        <FormatSelect
          label={t('consoleOrders.mapping.dates')}
          formats={dateFormats}
          labels={dateLabels}
          value={mapping.dates}
          onChange={(dates) => change({ dates })}
        />
      </div>
      <FormStatus missing={isMissing && t('consoleOrders.mapping.incomplete')} />
      <div className={styles.actions}>
        <Button type="submit" busy={isBusy}>
          {t('consoleOrders.mapping.preview')}
        </Button>
      </div>
    </form>
  )
}

/** The mapping as edited, and what it still lacks. */
function useMapping(initial: SuggestedMapping, onMapped: (mapping: StatementMapping) => void) {
  const [mapping, setMapping] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const { columns } = mapping
  const lacks = {
    amount: columns.amount === undefined,
    match: matching.every((field) => columns[field] === undefined),
    currency: columns.currency === undefined && !mapping.currency?.trim(),
    numbers: mapping.numbers === null,
  }
  const change = (part: Partial<SuggestedMapping>) => setMapping({ ...mapping, ...part })
  const choose = (field: StatementField, value: string) =>
    change({ columns: { ...columns, [field]: value === '' ? undefined : Number(value) } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isIncomplete = Object.values(lacks).includes(true)
    setMissing(isIncomplete)
    const { numbers } = mapping
    if (isIncomplete || numbers === null) return
    // A currency column takes precedence over one currency for all lines.
    const currency = columns.currency === undefined ? mapping.currency : undefined
    onMapped({ ...mapping, numbers, currency })
  }
  return { mapping, change, choose, lacks, isMissing, submit }
}

function ColumnOptions({ columns }: Pick<ImportPlan, 'columns'>) {
  const { t, addNote } = useMessages()
  return (
    <>
      <option value="">{t('consoleOrders.mapping.none')}</option>
      {columns.map(({ name, samples }, index) => {
        const sample = samples.find((each) => each !== '')
        const heading = name || t('consoleOrders.mapping.column', { number: index + 1 })
        return (
          // oxlint-disable-next-line react/no-array-index-key -- columns may have no name, and their order does not change
          <option key={index} value={index}>
            {sample === undefined ? heading : addNote(heading, sample)}
          </option>
        )
      })}
    </>
  )
}

function FormatSelect<Format extends string>({
  label,
  help,
  error,
  formats,
  labels,
  value,
  onChange,
}: {
  label: string
  help?: string | false
  error?: string | false
  formats: readonly Format[]
  labels: Readonly<Record<Format, string>>
  /** Null until someone chooses. */
  value: Format | null
  onChange: (format: Format) => void
}) {
  const { t } = useMessages()
  return (
    <Select
      label={label}
      help={help}
      error={error}
      value={value ?? ''}
      onChange={({ target }) => onChange(formats.find((each) => each === target.value)!)}
    >
      {value === null && <option value="">{t('consoleOrders.mapping.choose')}</option>}
      {formats.map((each) => (
        <option key={each} value={each}>
          {labels[each]}
        </option>
      ))}
    </Select>
  )
}
