import { useState, type FormEvent } from 'react'
import type { ImportPlan } from '#contract/import-payments.ts'
import {
  dateFormats,
  numberFormats,
  statementFields,
  type StatementField,
  type StatementMapping,
} from '#contract/statements.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import styles from '../orders.module.css'

const labels: Readonly<Record<StatementField, PlainKey>> = {
  date: 'consoleOrders.mapping.date',
  amount: 'consoleOrders.mapping.amount',
  currency: 'consoleOrders.mapping.currency',
  reference: 'consoleOrders.mapping.reference',
  txId: 'consoleOrders.mapping.txId',
  sender: 'consoleOrders.mapping.sender',
  address: 'consoleOrders.mapping.address',
  direction: 'consoleOrders.mapping.direction',
  complete: 'consoleOrders.mapping.complete',
}
const help: Readonly<Partial<Record<StatementField, PlainKey>>> = {
  amount: 'consoleOrders.mapping.amount.help',
  direction: 'consoleOrders.mapping.direction.help',
  complete: 'consoleOrders.mapping.complete.help',
}
const numberLabels = { plain: '1200.5', point: '1,200.50', comma: '1.200,50' } as const
const dateLabels = { iso: '2036-05-31', dmy: '31.05.2036', mdy: '05/31/2036' } as const
/** One of these says which order a line pays. */
const matching = ['reference', 'txId', 'address'] as const

/** Which column holds what. Asked once for each layout of a statement. */
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
  const { t } = useWords()
  const [mapping, setMapping] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const { columns: chosen } = mapping
  const lacksAmount = chosen.amount === undefined
  const lacksMatch = matching.every((field) => chosen[field] === undefined)
  const choose = (field: StatementField, value: string) =>
    setMapping({
      ...mapping,
      columns: { ...chosen, [field]: value === '' ? undefined : Number(value) },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(lacksAmount || lacksMatch)
    if (!lacksAmount && !lacksMatch) onMapped(mapping)
  }
  const nameOf = ({ name, samples }: ImportPlan['columns'][number], index: number) => {
    const sample = samples.find((each) => each !== '')
    const heading = name || t('consoleOrders.mapping.column', { number: index + 1 })
    return sample === undefined ? heading : `${heading} (${sample})`
  }
  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <div className={styles.mapping}>
        {statementFields.map((field) => (
          <Select
            key={field}
            label={t(labels[field])}
            help={help[field] && t(help[field])}
            error={
              isMissing && field === 'amount' && lacksAmount
                ? t('consoleOrders.mapping.missing.amount')
                : isMissing && field === 'reference' && lacksMatch && t('consoleOrders.mapping.missing.match')
            }
            value={chosen[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">{t('consoleOrders.mapping.none')}</option>
            {columns.map((column, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no name of their own, and stay in their order
              <option key={index} value={index}>
                {nameOf(column, index)}
              </option>
            ))}
          </Select>
        ))}
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
