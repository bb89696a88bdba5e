import { useState } from 'react'
import { getConsoleOrder, type ConsoleOrderDetail, type OrderFieldChange } from '#contract/console-orders.ts'
import type { FieldError } from '#contract/errors.ts'
import type { Order } from '#contract/orders.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { problemMessage } from '../../../forms/problem-message.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { typedAmount } from '../../../orders/placing/typed-amount.ts'
import { Checkbox, TextArea, TextField } from '../../../ui/field.tsx'
import { FormStatus, Message } from '../../../ui/form-status.tsx'
import styles from '../orders.module.css'
import type { ActionField, OrderAction, ReasonNeed, Values } from './action.ts'
import { ChangeTable } from './change-table.tsx'
import { CompletionFacts } from './completion-facts.tsx'
import { ProposalText } from './proposal-text.tsx'
import { FourEyesCause } from './four-eyes-cause.tsx'
import { Stale, whenStale } from '../../detail/conflict.tsx'
import { StaleOrder } from './stale-order.tsx'

type Props = {
  action: OrderAction
  detail: ConsoleOrderDetail
  onDone: (values: Values, now: Order) => void
  onNow: (detail: ConsoleOrderDetail) => void
  /** Whether the same button would still have the same effect on the current order. */
  isStill: (now: ConsoleOrderDetail) => boolean
  onClose: () => void
}

/**
 * Asks for confirmation. If someone else acted first, it shows both states and keeps the input, unless the action would
 * now have a different effect; then it asks again.
 */
export function ActionDialog({ action, detail, onDone, onNow, isStill, onClose }: Props) {
  const { t, language } = useMessages()
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(action.fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const [now, setNow] = useState<ConsoleOrderDetail>()
  const [isShared, setShared] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const [isRight, setRight] = useState(false)
  const [isQuantityMeant, setQuantityMeant] = useState(false)
  const [isOffRate, setOffRate] = useState(false)
  const changes = action.changes?.(values)
  const quantityAtRate = action.quantityAtRate?.(values)
  const { exactAmount, currency } = detail.order
  const due =
    exactAmount === null
      ? undefined
      : t('consoleOrders.record.due', { amount: formatDecimal(exactAmount, language), coin: currency })
  const fieldNames = [...action.fields.map(({ name }) => name), 'isRight', 'quantityAtRate']
  const problemOf = (name: string) => problems.find(({ path }) => path === name)?.message
  const elsewhere = problems.filter(({ path }) => !fieldNames.includes(path))
  const confirmation = changes && (
    <ChangeConfirmation
      {...{
        changes,
        quantityAtRate,
        isOffRate,
        isRight,
        setRight,
        isQuantityMeant,
        setQuantityMeant,
        problemOf,
      }}
    />
  )
  // A proposal that awaits approval is shown first. The changes from typed input are shown below it.
  const isOnlyReason = action.fields.every(({ name }) => name === 'reason')
  return (
    <ConfirmDialog
      title={t(action.title, { reference: detail.order.reference })}
      label={t(typeof action.confirm === 'function' ? action.confirm(values) : action.confirm)}
      kind={action.kind ?? 'primary'}
      {...(action.dismiss && { dismissLabel: t(action.dismiss) })}
      step={() => {
        const { read, wrong } = readEntries(action.fields, values)
        const missing = [
          ...(changes && changes.length > 0 && !isRight ? ['isRight'] : []),
          ...(quantityAtRate !== undefined && !isQuantityMeant ? ['quantityAtRate'] : []),
          ...(isShared && !values['reason']?.trim() ? ['reason'] : []),
        ].map((path) => ({ path, code: 'required' as const }))
        const found = [...wrong, ...missing]
        setProblems(found.map((each) => ({ ...each, message: problemMessage(t, each.code) })))
        if (found.length > 0) return null
        return whenStale(action.run(read, now ?? detail, { isShared, isQuantityMeant }), () =>
          call(getConsoleOrder, { params: { id: detail.id } }),
        )
      }}
      onDone={(done) => onDone(values, done)}
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
        if (failure.errors.some(({ code }) => code === 'differs_from_rate')) setOffRate(true)
        if (failure.errors.some(({ code }) => code === 'tx_used')) setUsed(true)
        return true
      }}
    >
      <Introduction action={action} detail={now ?? detail} />
      {now && <StaleOrder seen={detail} now={now} />}
      {action.showsPayment && (
        <div className={styles.completion}>
          <CompletionFacts detail={now ?? detail} values={values} />
        </div>
      )}
      <div className={styles.fields}>
        {isOnlyReason && confirmation}
        {action.fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            help={field.showsDue ? due : field.need && needText(t, field.need(values), detail)}
            value={values[field.name] ?? ''}
            error={problemOf(field.name)}
            onChange={(value) => {
              setValues({ ...values, [field.name]: value })
              // The confirmed values have changed, so the confirmation is reset.
              if (!changes || field.name === 'reason') return
              setRight(false)
              setOffRate(false)
              setQuantityMeant(false)
            }}
          />
        ))}
        {!isOnlyReason && confirmation}
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

/** What the action does, why it requires a second person, and warnings against it. */
function Introduction({ action, detail }: Pick<Props, 'action' | 'detail'>) {
  const { t } = useMessages()
  return (
    <>
      <p>{t(action.text)}</p>
      {action.showsCause && (
        <p>
          <FourEyesCause detail={detail} />
        </p>
      )}
      {action.showsProposal && detail.proposal && (
        <Message kind="note">
          <ProposalText proposal={detail.proposal} />
        </Message>
      )}
      {action.warning && <Message kind="note">{t(action.warning)}</Message>}
    </>
  )
}

type ConfirmationProps = {
  changes: readonly OrderFieldChange[]
  quantityAtRate: string | undefined
  /** The server found that the quantity does not match a rate that this page does not know. */
  isOffRate: boolean
  isRight: boolean
  setRight: (is: boolean) => void
  isQuantityMeant: boolean
  setQuantityMeant: (is: boolean) => void
  problemOf: (name: string) => string | undefined
}

/** The values before and after, and what must be confirmed about them. */
function ChangeConfirmation({
  changes,
  quantityAtRate,
  isOffRate,
  isRight,
  setRight,
  isQuantityMeant,
  setQuantityMeant,
  problemOf,
}: ConfirmationProps) {
  const { t, language } = useMessages()
  if (changes.length === 0) return <p>{t('consoleOrders.correct.none')}</p>
  return (
    <>
      <ChangeTable changes={changes} />
      {(quantityAtRate !== undefined || isOffRate) && (
        <Checkbox
          help={
            quantityAtRate === undefined
              ? t('consoleOrders.correct.quantityOffRate')
              : t('consoleOrders.correct.quantityHelp', {
                  quantity: formatDecimal(quantityAtRate, language),
                })
          }
          label={t('consoleOrders.correct.quantityIsMeant')}
          error={isQuantityMeant ? undefined : problemOf('quantityAtRate')}
          checked={isQuantityMeant}
          onChange={({ target }) => setQuantityMeant(target.checked)}
        />
      )}
      <Checkbox
        label={t('consoleOrders.correct.isRight')}
        error={isRight ? undefined : problemOf('isRight')}
        checked={isRight}
        onChange={({ target }) => setRight(target.checked)}
      />
    </>
  )
}

type Wrong = { path: string; code: FieldError['code'] }

/** The entries in the contract's format, and their problems. */
function readEntries(fields: readonly ActionField[], values: Values): { read: Values; wrong: Wrong[] } {
  const read: Record<string, string> = { ...values }
  const wrong: Wrong[] = []
  for (const { name, kind, need, isRequired = false } of fields) {
    const typed = values[name]?.trim() ?? ''
    if (kind === 'decimal' && typed !== '') {
      const { success, data, error } = typedAmount.safeParse(typed)
      if (success) read[name] = data
      else wrong.push({ path: name, code: (error.issues[0]?.message ?? 'number') as FieldError['code'] })
    }
    if ((isRequired || (need && isRequiredBy(need(values)))) && typed === '')
      wrong.push({ path: name, code: 'required' })
  }
  return { read, wrong }
}

const isRequiredBy = (need: ReasonNeed): boolean => need !== 'none' && need !== 'colleagues'

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

function OneField({ field: { label, schema, kind, max }, help, value, error, onChange }: FieldProps) {
  const { t } = useMessages()
  if (kind === 'lines')
    return (
      <TextArea
        label={t(label)}
        help={help}
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
        max={max}
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
      inputMode={kind === 'decimal' ? 'decimal' : undefined}
      maxLength={boundsOf(schema).maxLength}
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
