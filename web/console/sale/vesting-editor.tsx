import { useState } from 'react'
import { percent, splitTokens, vestingPlan, vestingUnits, type VestingPlan } from '#contract/money/vesting.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { problemMessage, problemText } from '../../kernel/forms/problem-message.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { PlannedDeliveries } from '../../kernel/rounds/planned-deliveries.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import {
  planIn,
  typedNumber,
  type TypedLinear,
  type TypedPlan,
  type TypedTranches,
} from './round-settings.ts'
import styles from './sale.module.css'
import { SettingText, type FieldsOf } from './setting-field.tsx'

/** What each kind of plan begins with. */
const initialPlans = {
  once: { first: '100', later: null },
  tranches: {
    first: '20',
    later: { kind: 'tranches', parts: [{ after: 3, unit: 'months', percent: '80' }] },
  },
  linear: { first: '10', later: { kind: 'linear', wait: 0, parts: 9, unit: 'months' } },
} as const satisfies Record<string, VestingPlan>
const kinds = ['once', 'tranches', 'linear'] as const

/** When buyers get which part of their tokens, with the dates and amounts of an example. */
export function VestingEditor({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const plan = planIn(of.flat)
  const { first, later } = plan
  const write = (next: TypedPlan) => of.set({ vesting: JSON.stringify(next) })
  const fields = { errors: of.errors, onChange: (next: TypedPlan['later']) => write({ first, later: next }) }
  return (
    <section className={styles.part} id="vesting" tabIndex={-1}>
      <h2>{t('consoleRounds.vesting')}</h2>
      <div className={styles.fields}>
        <Select
          label={t('consoleRounds.vesting.kind')}
          value={later?.kind ?? 'once'}
          onChange={({ target }) => write(initialPlans[target.value as (typeof kinds)[number]])}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`consoleRounds.vesting.kind.${kind}`)}
            </option>
          ))}
        </Select>
        {later && (
          <SettingText
            label={t('consoleRounds.vesting.first')}
            help={t('consoleRounds.vesting.first.help')}
            error={of.errors['vesting.first']}
            value={first}
            inputMode="decimal"
            maxLength={boundsOf(percent).maxLength}
            autoComplete="off"
            onChange={({ target }) => write({ first: target.value, later })}
          />
        )}
        {later?.kind === 'linear' && <LinearFields {...fields} later={later} />}
      </div>
      {later?.kind === 'tranches' && <TrancheFields {...fields} later={later} />}
      <Example plan={plan} />
    </section>
  )
}

type FieldsProps<Later> = {
  errors: FieldsOf['errors']
  later: Later
  onChange: (next: TypedPlan['later']) => void
}

function LinearFields({ errors, later, onChange }: FieldsProps<TypedLinear>) {
  const { t } = useMessages()
  const number = (name: 'wait' | 'parts') => (
    <SettingText
      label={t(`consoleRounds.vesting.${name}`)}
      help={t(`consoleRounds.vesting.${name}.help`)}
      error={errors[`vesting.later.${name}`]}
      value={String(later[name])}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ target }) => onChange({ ...later, [name]: typedNumber(target.value) })}
    />
  )
  return (
    <>
      {number('parts')}
      <UnitField
        label={t('consoleRounds.vesting.every')}
        value={later.unit}
        onChange={(unit) => onChange({ ...later, unit })}
      />
      {number('wait')}
    </>
  )
}

function TrancheFields({ errors, later, onChange }: FieldsProps<TypedTranches>) {
  const { t } = useMessages()
  const { parts } = later
  const write = (next: TypedTranches['parts']) => onChange({ kind: 'tranches', parts: next })
  return (
    <>
      {parts.map((part, index) => {
        const at = `vesting.later.parts.${index}`
        const number = index + 2
        return (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- a part is identified by its position in the list
            key={index}
            className={styles.line}
          >
            <legend>{t('consoleRounds.vesting.part', { number })}</legend>
            <SettingText
              label={t('consoleRounds.vesting.after')}
              error={errors[`${at}.after`]}
              value={String(part.after)}
              inputMode="numeric"
              autoComplete="off"
              onChange={({ target }) =>
                write(parts.with(index, { ...part, after: typedNumber(target.value) }))
              }
            />
            <UnitField
              label={t('consoleRounds.vesting.unit')}
              value={part.unit}
              onChange={(unit) => write(parts.with(index, { ...part, unit }))}
            />
            <SettingText
              label={t('consoleRounds.vesting.percent')}
              error={errors[`${at}.percent`]}
              value={part.percent}
              inputMode="decimal"
              maxLength={boundsOf(percent).maxLength}
              autoComplete="off"
              onChange={({ target }) => write(parts.with(index, { ...part, percent: target.value }))}
            />
            {parts.length > 1 && (
              <TextButton
                aria-label={t('consoleRounds.vesting.part.remove', { number })}
                onClick={() => write(parts.toSpliced(index, 1))}
              >
                {t('consoleSale.method.remove')}
              </TextButton>
            )}
          </fieldset>
        )
      })}
      <div>
        <Button kind="quiet" onClick={() => write([...parts, { after: '', unit: 'months', percent: '' }])}>
          {t('consoleRounds.vesting.part.add')}
        </Button>
      </div>
    </>
  )
}

type Unit = (typeof vestingUnits)[number]

function UnitField({
  label,
  value,
  onChange,
}: {
  label: string
  value: Unit
  onChange: (unit: Unit) => void
}) {
  const { t } = useMessages()
  return (
    <Select label={label} value={value} onChange={({ target }) => onChange(target.value as Unit)}>
      {vestingUnits.map((unit) => (
        <option key={unit} value={unit}>
          {t(`consoleRounds.vesting.unit.${unit}`)}
        </option>
      ))}
    </Select>
  )
}

const exampleQuantity = '1000'

/** The deliveries of an order that is completed now, split exactly as those of any order. */
function Example({ plan }: { plan: TypedPlan }) {
  const { t, language } = useMessages()
  const [now] = useState(() => new Date())
  const { data, error } = vestingPlan.safeParse(plan)
  if (data)
    return (
      <PlannedDeliveries
        heading={t('consoleRounds.vesting.example', { quantity: formatDecimal(exampleQuantity, language) })}
        parts={splitTokens(exampleQuantity, data)}
        completedAt={now}
      />
    )
  // Percentages and times that do not go together are named before saving.
  const problem = error.issues.find(({ code }) => code === 'custom')
  return (
    <p className={styles.sign} role="status">
      {problem ? problemMessage(t, problemText(problem)) : t('consoleRounds.vesting.noExample')}
    </p>
  )
}
