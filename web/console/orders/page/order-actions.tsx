import { useState } from 'react'
import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { type ConsoleOrderDetail, getConsoleOrder } from '#contract/money/console-orders.ts'
import type { Order } from '#contract/money/orders.ts'
import { useUndo } from '../../../kernel/actions/use-undo.ts'
import { call, type Call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { type UsedMessages, useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import { orderStates } from '../../../orders/order-states.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { Checkbox } from '../../../kernel/ui/field.tsx'
import { FormStatus, Message } from '../../../kernel/ui/form-status.tsx'
import { useAskedAction } from '../../use-asked-action.ts'
import { Stale, StaleState, type StateLines, whenStale } from '../../detail/conflict.tsx'
import { flagLabels } from '../order-labels.ts'
import { ActionFields } from './action-fields.tsx'
import type { ActionField, OrderAction, ReasonNeed, Values } from './action.ts'
import styles from '../orders.module.css'
import type { OrderContext } from './evidence.ts'
import { actionsFor } from './order-action.ts'
import { CompletionFacts } from './order-facts.tsx'
import { ChangeTable, FourEyesCause, ProposalText } from './proposal.tsx'
import { type Entries, useEntries } from './use-entries.ts'

export function OrderActions({ of }: { of: OrderContext }) {
  const { t } = of
  const { offered, ask, dialog } = useOrderActions(of)
  useAskedAction((asked) => {
    // Completing has other labels if it is a proposal or the second approval.
    const action = offered.find(({ label }) => label === asked || label.startsWith(`${asked}.`))
    if (action) ask(action.name)
    return action !== undefined
  })
  if (offered.length === 0) return null
  return (
    <div className={styles.actions} role="group" aria-label={t('consoleOrders.actions')}>
      {offered.map(({ name, label, kind }) => (
        <Button key={name} kind={kind ?? 'quiet'} onClick={() => ask(name)}>
          {t(label)}
        </Button>
      ))}
      {dialog}
    </div>
  )
}

/** The offered actions, and the dialog of the chosen one. */
export function useOrderActions(of: OrderContext) {
  const { t, mayAct, reader, record, show, reload } = of
  const { detail, chain = null } = record
  // The dialog keeps its initial state while the page behind it updates.
  const [asked, setAsked] = useState<{
    name: string
    detail: ConsoleOrderDetail
    chain: ChainPayment | null
  }>()
  const offered = mayAct ? actionsFor(detail, reader.id, chain) : []
  const ask = (name: string) => setAsked({ name, detail, chain })
  const action =
    asked && actionsFor(asked.detail, reader.id, asked.chain).find(({ name }) => name === asked.name)
  const dialog = action && (
    <ActionDialog
      key={action.name}
      action={action}
      detail={asked.detail}
      onNow={(now) => show({ ...record, detail: now })}
      isStill={(now) =>
        now.forbids === null &&
        actionsFor(now, reader.id, asked.chain).some(
          ({ name, label }) => name === action.name && label === action.label,
        )
      }
      onClose={() => setAsked(undefined)}
      onDone={(values, now) => {
        const { done } = action
        showNotice(t(typeof done === 'function' ? done(values, now) : done), 'success')
        reload()
      }}
    />
  )
  return { offered, ask, dialog }
}

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
function ActionDialog({ action, detail, onDone, onNow, isStill, onClose }: Props) {
  const messages = useMessages()
  const { t } = messages
  const [now, setNow] = useState<ConsoleOrderDetail>()
  const entries = useEntries({ ...action, asksAboutUse: true })
  const current = now ?? detail
  const undo = useUndo(action.isUndoable ?? false)
  const begin = (send: Call) => {
    const read = entries.read()
    const load = () => call(getConsoleOrder, { params: { id: detail.id } })
    return read && whenStale(action.run(read, current, entries.confirmed, send), load)
  }
  const showCurrent = (found: ConsoleOrderDetail) => {
    onNow(found)
    if (isStill(found)) return setNow(found)
    onClose()
    showNotice(t('consoleOrders.stale.other'), 'error')
  }
  const onFailure = (failure: unknown) => {
    const isStale = failure instanceof Stale
    const isOfFields = failure instanceof CallFailed && failure.errors.length > 0
    if (isStale) showCurrent(failure.now as ConsoleOrderDetail)
    if (isOfFields) entries.reject(failure.errors)
    const isOverCap = failure instanceof CallFailed && failure.code === 'cap_reached'
    if (isOverCap) entries.rejectExcess()
    return isStale || isOfFields || isOverCap
  }
  const label = t(typeof action.confirm === 'function' ? action.confirm(entries.values) : action.confirm)
  return (
    <ConfirmDialog
      title={t(action.title, { reference: detail.order.reference })}
      {...undo.confirming(label, begin, onFailure)}
      kind={action.kind ?? 'primary'}
      {...(action.dismiss && { dismissLabel: t(action.dismiss) })}
      onDone={(done) => onDone(entries.values, done)}
      onClose={onClose}
    >
      <Introduction action={action} detail={current} />
      {now && <StaleState seen={comparedIn(detail, messages)} now={comparedIn(now, messages)} />}
      {action.showsPayment && (
        <div className={styles.completion}>
          <CompletionFacts detail={current} values={entries.values} />
        </div>
      )}
      <Inputs action={action} entries={entries} detail={detail} />
      {undo.note && <p>{undo.note}</p>}
      <FormStatus error={entries.elsewhere} />
    </ConfirmDialog>
  )
}

/** What the action does, why it requires a second approval, and warnings against it. */
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

type InputsProps = { action: OrderAction; entries: Entries; detail: ConsoleOrderDetail }

function Inputs({ action, entries, detail }: InputsProps) {
  const { t, language } = useMessages()
  const { exactAmount, currency } = detail.order
  const helpOf = ({ help, showsDue, need }: ActionField) => {
    if (help) return t(help)
    if (!showsDue) return need && needText(t, need(entries.values), detail)
    const due = { amount: formatDecimal(exactAmount ?? '0', language), coin: currency }
    return exactAmount === null ? undefined : t('consoleOrders.record.due', due)
  }
  // A proposal that awaits approval is shown first. The changes from typed input are shown below it.
  const isOnlyReason = action.fields.every(({ name }) => name === 'reason')
  const confirmation = entries.changes && <ChangeConfirmation entries={entries} />
  return (
    <div className={styles.fields}>
      {isOnlyReason && confirmation}
      <ActionFields fields={action.fields} entries={entries} helpOf={helpOf} />
      {!isOnlyReason && confirmation}
      {entries.isUsed && (
        <Checkbox
          help={t('consoleOrders.record.used')}
          label={t('consoleOrders.record.shared')}
          checked={entries.confirmed.isShared}
          onChange={({ target }) => entries.confirm({ isShared: target.checked })}
        />
      )}
    </div>
  )
}

const needWords = {
  none: 'consoleOrders.reason.notNeeded',
  colleagues: 'consoleOrders.reason.forColleagues',
  change: 'consoleOrders.reason.needsChange',
  unknown: 'consoleOrders.reason.needsAmount',
  statement: 'consoleOrders.reason.needsStatement',
  gone: 'consoleOrders.reason.needsGone',
  gift: 'consoleOrders.reason.needsSecondPerson',
  paid: 'consoleOrders.reason.needsPaid',
} as const

const needText = (t: UsedMessages['t'], need: ReasonNeed, { tolerancePercent }: ConsoleOrderDetail): string =>
  need === 'difference'
    ? t('consoleOrders.reason.needsDifference', { percent: tolerancePercent })
    : t(needWords[need])

/** The values before and after, and what must be confirmed about them. */
function ChangeConfirmation({ entries }: { entries: Entries }) {
  const { t, language } = useMessages()
  const { changes = [], quantityAtRate, isOffRate, excess, isOverCap } = entries
  const { confirmed, confirm, problemOf } = entries
  const { isRight, isQuantityMeant, isExcessMeant } = confirmed
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
          onChange={({ target }) => confirm({ isQuantityMeant: target.checked })}
        />
      )}
      {(excess !== undefined || isOverCap) && (
        <Checkbox
          help={
            excess === undefined
              ? t('consoleOrders.correct.overCap')
              : t('consoleOrders.correct.excess', { quantity: formatDecimal(excess, language) })
          }
          label={t('consoleOrders.correct.excessIsMeant')}
          error={isExcessMeant ? undefined : problemOf('excess')}
          checked={isExcessMeant}
          onChange={({ target }) => confirm({ isExcessMeant: target.checked })}
        />
      )}
      <Checkbox
        label={t('consoleOrders.correct.isRight')}
        error={isRight ? undefined : problemOf('isRight')}
        checked={isRight}
        onChange={({ target }) => confirm({ isRight: target.checked })}
      />
    </>
  )
}

const none = '–'

function comparedIn(detail: ConsoleOrderDetail, { t, language, joinNames }: UsedMessages): StateLines {
  const { order, paidAmount, steps } = detail
  return [
    ['consoleOrders.state', t(orderStates[order.status].words)],
    ['consoleOrders.flags', joinNames(detail.flags.map((flag) => t(flagLabels[flag]))) || none],
    ['consoleOrders.payMethod', order.payMethod || none],
    ['consoleOrders.due', `${order.exactAmount ?? none} ${order.currency}`],
    ['consoleOrders.received', paidAmount ?? none],
    ['consoleOrders.quantity', order.exactFabQty ?? none],
    ['consoleOrders.txId', order.txId || none],
    ['consoleOrders.deadline', order.payBefore === null ? none : formatMoment(order.payBefore, language)],
    ['consoleOrders.fabAddress', order.fabAddress || none],
    ['consoleOrders.ethAddress', order.ethAddress || none],
    ['consoleOrders.btcAddress', order.btcAddress || none],
    ['consoleOrders.email', order.email || none],
    ['consoleOrders.history', t('consoleOrders.stale.history', { count: steps.length })],
  ]
}
