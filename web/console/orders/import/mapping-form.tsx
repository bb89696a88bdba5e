import { useState, type FormEvent } from 'react'
import type { ImportPlan } from '#contract/import-payments.ts'
import {
  dateFormats,
  numberFormats,
  statementFields,
  statementMapping,
  type StatementField,
  type StatementMapping,
} from '#contract/statements.ts'
import { boundsOf } from '../../../forms/field-bounds.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select, TextField } from '../../../ui/field.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
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
  initial: StatementMapping
  isBusy: boolean
  onMapped: (mapping: StatementMapping) => void
}) {
  const { t, addNote } = useMessages()
  const [mapping, setMapping] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const { columns: chosen } = mapping
  const lacksAmount = chosen.amount === undefined
  const isMatchMissing = matching.every((field) => chosen[field] === undefined)
  const lacksCurrency = chosen.currency === undefined && !mapping.currency?.trim()
  const choose = (field: StatementField, value: string) =>
    setMapping({
      ...mapping,
      columns: { ...chosen, [field]: value === '' ? undefined : Number(value) },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lacks = lacksAmount || isMatchMissing || lacksCurrency
    setMissing(lacks)
    // A currency column takes precedence over one currency for all lines.
    if (!lacks) onMapped(chosen.currency === undefined ? mapping : { ...mapping, currency: undefined })
  }
  const nameOf = ({ name, samples }: ImportPlan['columns'][number], index: number) => {
    const sample = samples.find((each) => each !== '')
    const heading = name || t('consoleOrders.mapping.column', { number: index + 1 })
    return sample === undefined ? heading : addNote(heading, sample)
  }
  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <div className={styles.mapping}>
        {statementFields.map((field) => (
          <Select
            key={field}
            label={t(`consoleOrders.mapping.${field}`)}
            help={help[field] && t(help[field])}
            error={
              isMissing && field === 'amount' && lacksAmount
                ? t('consoleOrders.mapping.missing.amount')
                : isMissing &&
                  field === 'reference' &&
                  isMatchMissing &&
                  t('consoleOrders.mapping.missing.match')
            }
            value={chosen[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">{t('consoleOrders.mapping.none')}</option>
            {columns.map((column, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns may have no name, and their order does not change
              <option key={index} value={index}>
                {nameOf(column, index)}
              </option>
            ))}
          </Select>
        ))}
        {chosen.currency === undefined && (
          <TextField
            label={t('consoleOrders.mapping.allAmounts')}
            help={t('consoleOrders.mapping.allAmounts.help')}
            error={isMissing && lacksCurrency && t('consoleOrders.mapping.missing.currency')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={boundsOf(statementMapping.shape.currency).maxLength}
            value={mapping.currency ?? ''}
            onChange={({ target }) => setMapping({ ...mapping, currency: target.value })}
          />
        )}
        <Select
          label={t('consoleOrders.mapping.numbers')}
          value={mapping.numbers}
          onChange={({ target }) =>
            setMapping({ ...mapping, numbers: numberFormats.find((each) => each === target.value)! })
          }
        >
          {numberFormats.map((each) => (
            <option key={each} value={each}>
              {numberLabels[each]}
            </option>
          ))}
        </Select>
        <Select
          label={t('consoleOrders.mapping.dates')}
          value={mapping.dates}
          onChange={({ target }) =>
            setMapping({ ...mapping, dates: dateFormats.find((each) => each === target.value)! })
          }
        >
          {dateFormats.map((each) => (
            <option key={each} value={each}>
              {dateLabels[each]}
            </option>
          ))}
        </Select>
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
