import { splitTokens, vestingPlan, type Tranche } from '#contract/money/vesting.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatPeriod } from '../../kernel/rounds/describe-round.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { planIn, planOf, problemOfPlan, type TypedPlan } from './round-flat.ts'
import styles from './sale.module.css'
import { SettingText, type FieldsOf } from './setting-field.tsx'

type Then = NonNullable<TypedPlan['then']>
type Kind = 'once' | Then['kind']

/** Fields of a kind of plan that was not chosen before. */
const firstPlans: Readonly<Record<Kind, TypedPlan>> = {
  once: { first: '100', then: null },
  tranches: {
    first: '20',
    then: { kind: 'tranches', parts: [{ after: '3', unit: 'months', percent: '80' }] },
  },
  linear: { first: '10', then: { kind: 'linear', wait: '0', parts: '9', unit: 'months' } },
}
const kinds = ['once', 'tranches', 'linear'] as const
const quantityShown = '1000'

/** When buyers get which part of their tokens, with the dates and amounts of an example. */
export function VestingEditor({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const plan = planIn(of.flat)
  const { first, then } = plan
  const write = (next: TypedPlan) => of.set({ vesting: JSON.stringify(next) })
  return (
    <section className={styles.part} id="vesting" tabIndex={-1}>
      <h2>{t('consoleRounds.vesting')}</h2>
      <div className={styles.fields}>
        <Select
          label={t('consoleRounds.vesting.kind')}
          value={then?.kind ?? 'once'}
          onChange={({ target }) => write(firstPlans[target.value as Kind])}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`consoleRounds.vesting.kind.${kind}`)}
            </option>
          ))}
        </Select>
        {then && (
          <SettingText
            label={t('consoleRounds.vesting.first')}
            help={t('consoleRounds.vesting.first.help')}
            error={of.errors['vesting.first']}
            value={first}
            inputMode="decimal"
            autoComplete="off"
            onChange={({ target }) => write({ first: target.value, then })}
          />
        )}
      </div>
      {then?.kind === 'linear' && (
        <LinearFields errors={of.errors} then={then} onChange={(next) => write({ first, then: next })} />
      )}
      {then?.kind === 'tranches' && (
        <TrancheFields errors={of.errors} then={then} onChange={(next) => write({ first, then: next })} />
      )}
      {of.errors['vesting'] && <p role="alert">{of.errors['vesting']}</p>}
      <Preview plan={plan} />
    </section>
  )
}

type FieldsProps<K extends Kind> = {
  errors: FieldsOf['errors']
  then: Extract<Then, { kind: K }>
  onChange: (next: Then) => void
}

function LinearFields({ errors, then, onChange }: FieldsProps<'linear'>) {
  const { t } = useMessages()
  const text = (name: 'wait' | 'parts') => (
    <SettingText
      label={t(`consoleRounds.vesting.${name}`)}
      help={t(`consoleRounds.vesting.${name}.help`)}
      error={errors[`vesting.then.${name}`]}
      value={then[name]}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ target }) => onChange({ ...then, [name]: target.value })}
    />
  )
  return (
    <div className={styles.fields}>
      {text('wait')}
      {text('parts')}
      <UnitField value={then.unit} onChange={(unit) => onChange({ ...then, unit })} />
    </div>
  )
}

function TrancheFields({ errors, then, onChange }: FieldsProps<'tranches'>) {
  const { t } = useMessages()
  const { parts } = then
  const write = (next: typeof parts) => onChange({ kind: 'tranches', parts: next })
  return (
    <>
      {parts.map((part, index) => {
        const text = (name: 'after' | 'percent') => (
          <SettingText
            label={t(`consoleRounds.vesting.${name}`)}
            error={errors[`vesting.then.parts.${index}.${name}`]}
            value={part[name]}
            inputMode={name === 'after' ? 'numeric' : 'decimal'}
            autoComplete="off"
            onChange={({ target }) => write(parts.with(index, { ...part, [name]: target.value }))}
          />
        )
        return (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- a part is identified by its position in the list
            key={index}
            className={styles.method}
          >
            <legend>{t('consoleRounds.vesting.part', { number: index + 2 })}</legend>
            {text('after')}
            <UnitField value={part.unit} onChange={(unit) => write(parts.with(index, { ...part, unit }))} />
            {text('percent')}
            <p className={styles.tools}>
              <TextButton
                aria-label={t('consoleRounds.vesting.part.remove', { number: index + 2 })}
                onClick={() => write(parts.toSpliced(index, 1))}
              >
                {t('consoleSale.method.remove')}
              </TextButton>
            </p>
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

function UnitField({ value, onChange }: { value: string; onChange: (unit: string) => void }) {
  const { t } = useMessages()
  return (
    <Select
      label={t('consoleRounds.vesting.unit')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {(['days', 'months'] as const).map((unit) => (
        <option key={unit} value={unit}>
          {t(`consoleRounds.vesting.unit.${unit}`)}
        </option>
      ))}
    </Select>
  )
}

/** The tranches of an example order, split exactly as those of an order. */
function Preview({ plan }: { plan: TypedPlan }) {
  const messages = useMessages()
  const { t, language } = messages
  const { data } = vestingPlan.safeParse(planOf(plan))
  const problem = data && problemOfPlan(data)
  if (!data || problem)
    return (
      <p className={styles.sign} role="status">
        {t(problem ? `consoleRounds.vesting.${problem}` : 'consoleRounds.vesting.noPreview')}
      </p>
    )
  return (
    <Table
      caption={t('consoleRounds.vesting.preview', { quantity: formatDecimal(quantityShown, language) })}
      columns={[
        {
          name: 'due',
          heading: t('consoleRounds.vesting.due'),
          cell: ({ dueAfter: { count, unit } }: Tranche) =>
            count === 0
              ? t('consoleRounds.vesting.due.first')
              : t('consoleRounds.vesting.due.after', { period: formatPeriod(count, unit, messages) }),
        },
        {
          name: 'amount',
          heading: t('consoleRounds.vesting.amount'),
          cell: ({ amount }: Tranche) => formatDecimal(amount, language),
          isFigure: true,
        },
      ]}
      rows={splitTokens(quantityShown, data)}
      rowKey={({ dueAfter: { count, unit } }) => `${count} ${unit}`}
    />
  )
}
