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

type Later = NonNullable<TypedPlan['later']>
type Kind = 'once' | Later['kind']

/** Fields of a kind of plan that was not chosen before. */
const firstPlans: Readonly<Record<Kind, TypedPlan>> = {
  once: { first: '100', later: null },
  tranches: {
    first: '20',
    later: { kind: 'tranches', parts: [{ after: '3', unit: 'months', percent: '80' }] },
  },
  linear: { first: '10', later: { kind: 'linear', wait: '0', parts: '9', unit: 'months' } },
}
const kinds = ['once', 'tranches', 'linear'] as const
const quantityShown = '1000'

/** When buyers get which part of their tokens, with the dates and amounts of an example. */
export function VestingEditor({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const plan = planIn(of.flat)
  const { first, later } = plan
  const write = (next: TypedPlan) => of.set({ vesting: JSON.stringify(next) })
  return (
    <section className={styles.part} id="vesting" tabIndex={-1}>
      <h2>{t('consoleRounds.vesting')}</h2>
      <div className={styles.fields}>
        <Select
          label={t('consoleRounds.vesting.kind')}
          value={later?.kind ?? 'once'}
          onChange={({ target }) => write(firstPlans[target.value as Kind])}
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
            autoComplete="off"
            onChange={({ target }) => write({ first: target.value, later })}
          />
        )}
      </div>
      {later?.kind === 'linear' && (
        <LinearFields errors={of.errors} later={later} onChange={(next) => write({ first, later: next })} />
      )}
      {later?.kind === 'tranches' && (
        <TrancheFields errors={of.errors} later={later} onChange={(next) => write({ first, later: next })} />
      )}
      {of.errors['vesting'] && <p role="alert">{of.errors['vesting']}</p>}
      <Preview plan={plan} />
    </section>
  )
}

type FieldsProps<K extends Kind> = {
  errors: FieldsOf['errors']
  later: Extract<Later, { kind: K }>
  onChange: (next: Later) => void
}

function LinearFields({ errors, later, onChange }: FieldsProps<'linear'>) {
  const { t } = useMessages()
  const text = (name: 'wait' | 'parts') => (
    <SettingText
      label={t(`consoleRounds.vesting.${name}`)}
      help={t(`consoleRounds.vesting.${name}.help`)}
      error={errors[`vesting.later.${name}`]}
      value={later[name]}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ target }) => onChange({ ...later, [name]: target.value })}
    />
  )
  return (
    <div className={styles.fields}>
      {text('wait')}
      {text('parts')}
      <UnitField value={later.unit} onChange={(unit) => onChange({ ...later, unit })} />
    </div>
  )
}

function TrancheFields({ errors, later, onChange }: FieldsProps<'tranches'>) {
  const { t } = useMessages()
  const { parts } = later
  const write = (next: typeof parts) => onChange({ kind: 'tranches', parts: next })
  return (
    <>
      {parts.map((part, index) => {
        const text = (name: 'after' | 'percent') => (
          <SettingText
            label={t(`consoleRounds.vesting.${name}`)}
            error={errors[`vesting.later.parts.${index}.${name}`]}
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
  const problem = problemOfPlan(planOf(plan))
  const { data } = vestingPlan.safeParse(planOf(plan))
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
