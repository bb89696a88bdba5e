import {
  acceptWithdrawal,
  closeWithdrawal,
  recordRefund,
  refuseWithdrawal,
  type ConsoleWithdrawalDetail,
  type WithdrawalAction,
} from '#contract/money/console-withdrawals.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { useUndo } from '../../../kernel/actions/use-undo.ts'
import { type Call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import { typedFrom } from '../../../kernel/typed-amount.ts'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import { LabeledFacts } from '../../detail/labeled-facts.tsx'
import styles from '../orders.module.css'
import { ActionFields } from '../page/action-fields.tsx'
import type { ActionField, Values } from '../page/action.ts'
import { decimalOf } from '../page/payment-actions.ts'
import { useEntries } from '../page/use-entries.ts'
import { basisHelp } from './withdrawal-labels.ts'

/** Whether the action would be a proposal: it requires four-eyes approval, and no one else has proposed the same. */
function proposes(
  { takesTwo, replaceTakesTwo, proposal }: ConsoleWithdrawalDetail,
  act: WithdrawalAction,
  memberId: string,
): boolean {
  const isSecond = proposal?.counts === true && proposal.act === act && proposal.by.id !== memberId
  return (takesTwo || (act === 'refund' && replaceTakesTwo)) && !isSecond
}

/** Whether the refund matches the recorded payment, or a colleague's proposal that has a reason. */
function isUsualRefund(
  { state, amount, amountIs, currency, seenOnChain, isPaymentShared, proposal }: ConsoleWithdrawalDetail,
  values: Values,
): boolean {
  const given = decimalOf(values['amount'])
  if (given === undefined) return true
  const isSame = (other: string | null | undefined) =>
    typeof other === 'string' && parseDecimal(other) === parseDecimal(given)
  if (proposal?.reason && isSame(proposal.refund?.amount)) return true
  const hasMore = seenOnChain !== null && amount !== null && parseDecimal(seenOnChain) > parseDecimal(amount)
  return (
    state !== 'refunded' &&
    amountIs === 'received' &&
    isSame(amount) &&
    !hasMore &&
    !isPaymentShared &&
    values['currency']?.trim().toLowerCase() === currency.toLowerCase()
  )
}

/** Today's date in the reader's time zone, as `2036-05-01`. */
const localToday = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * MINUTE).toISOString().slice(0, 10)
}

const { amount, currency, txId, paidOn, reason } = recordRefund.body.shape
const reasonLabels = {
  accept: 'consoleWithdrawals.reason.optional',
  refuse: 'consoleWithdrawals.reason.required',
  close: 'consoleWithdrawals.reason.required',
  refund: 'consoleWithdrawals.reason.refund',
} as const

/** The fields for the refund, which the second approver fills in too, and for the reason. */
function fieldsOf(act: WithdrawalAction, detail: ConsoleWithdrawalDetail): ActionField[] {
  const why = { name: 'reason', label: reasonLabels[act], schema: reason, kind: 'lines' } as const
  if (act === 'accept') return [why]
  if (act !== 'refund') return [{ ...why, isRequired: true }]
  const { refund } = detail
  const isRequired = true
  return [
    {
      name: 'amount',
      label: 'consoleWithdrawals.refund.amount',
      schema: amount,
      kind: 'decimal',
      initial: typedFrom(refund?.amount ?? detail.amount ?? ''),
      isRequired,
    },
    {
      name: 'currency',
      label: 'consoleWithdrawals.coin',
      schema: currency,
      initial: refund?.currency ?? detail.currency,
      isRequired,
    },
    {
      name: 'txId',
      label: 'consoleWithdrawals.txId',
      schema: txId,
      kind: 'code',
      initial: refund?.txId ?? '',
      isRequired,
    },
    {
      name: 'paidOn',
      label: 'consoleWithdrawals.paidOn',
      schema: paidOn,
      kind: 'day',
      initial: refund?.paidOn ?? '',
      max: localToday(),
      isRequired,
    },
    { ...why, need: (values) => (isUsualRefund(detail, values) ? 'none' : 'difference') },
  ]
}

function helpOf(
  { name, need }: ActionField,
  values: Values,
  detail: ConsoleWithdrawalDetail,
  { t, language }: UsedMessages,
): string | undefined {
  if (name === 'amount' && detail.amount !== null)
    return t(basisHelp[detail.amountIs], {
      amount: `${formatDecimal(detail.amount, language)} ${detail.currency}`,
    })
  if (!need) return undefined
  const isNeeded = need(values) !== 'none'
  return t(isNeeded ? 'consoleWithdrawals.reason.refund.needed' : 'consoleOrders.reason.notNeeded')
}

function decide(
  act: WithdrawalAction,
  { id, updatedAt }: ConsoleWithdrawalDetail,
  values: Values,
  send: Call,
) {
  const reason = (values['reason'] ?? '').trim()
  const seen = { params: { id }, body: { reason, updatedAt } }
  if (act === 'accept') return send(acceptWithdrawal, seen)
  if (act === 'refuse') return send(refuseWithdrawal, seen)
  if (act === 'close') return send(closeWithdrawal, seen)
  const { amount = '', currency = '', txId = '', paidOn = '' } = values
  return send(recordRefund, { ...seen, body: { ...seen.body, amount, currency, txId, paidOn } })
}

export const refundTo = (
  t: UsedMessages['t'],
  { withdrawal: { refundAddress }, refundChain }: ConsoleWithdrawalDetail,
) =>
  refundAddress ? (
    <span className={styles.code}>{refundAddress}</span>
  ) : (
    t(refundChain === null ? 'consoleWithdrawals.refundTo.account' : 'consoleWithdrawals.refundTo.ask')
  )

type Props = {
  act: WithdrawalAction
  /** The state when the dialog was opened. */
  detail: ConsoleWithdrawalDetail
  memberId: string
  onDone: () => void
  onClose: () => void
}

/**
 * Asks for confirmation and, for a refund, for the amount that was sent. The second approver enters it too, so that no
 * one approves without comparing.
 */
export function WithdrawalDialog({ act, detail, memberId, onDone, onClose }: Props) {
  const messages = useMessages()
  const { t } = messages
  const { orderStatus, reference, state } = detail
  const fields = fieldsOf(act, detail)
  const entries = useEntries({ fields })
  const undo = useUndo(act === 'refuse')
  const isProposing = proposes(detail, act, memberId)
  const isCorrecting = act === 'refund' && state === 'refunded'
  const label = isCorrecting
    ? 'consoleWithdrawals.refund.correctConfirm'
    : (`consoleWithdrawals.${act}.confirm` as const)
  const onFailure = (failure: unknown): boolean => {
    if (!(failure instanceof CallFailed)) return false
    if (failure.code === 'conflict' && failure.errors.length === 0) {
      onClose()
      showNotice(t('consoleWithdrawals.stale'), 'error')
      onDone()
      return true
    }
    entries.reject(failure.errors)
    return failure.errors.length > 0
  }
  return (
    <ConfirmDialog
      title={t(isCorrecting ? 'consoleWithdrawals.refund.correctTitle' : `consoleWithdrawals.${act}.title`, {
        reference,
      })}
      {...undo.confirming(
        t(isProposing ? `consoleWithdrawals.${act}.propose` : label),
        (send) => {
          const read = entries.read()
          return read && decide(act, detail, read, send)
        },
        onFailure,
      )}
      kind={act === 'refuse' || act === 'close' ? 'danger' : 'primary'}
      onDone={({ proposal }) => {
        showNotice(t(proposal ? 'consoleWithdrawals.proposed' : `consoleWithdrawals.${act}.done`), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(`consoleWithdrawals.${act}.text`)}</p>
      {isProposing && <p>{t('consoleWithdrawals.twoPersons')}</p>}
      {act === 'accept' && (orderStatus === 'pending' || orderStatus === 'completed') && (
        <p>{t(`consoleWithdrawals.accept.${orderStatus}`)}</p>
      )}
      {(act === 'accept' || act === 'refund') && (
        <div className={styles.completion}>
          <LabeledFacts facts={{ 'consoleWithdrawals.refundTo': refundTo(t, detail) }} />
        </div>
      )}
      <div className={styles.fields}>
        <ActionFields
          fields={fields}
          entries={entries}
          helpOf={(field) => helpOf(field, entries.values, detail, messages)}
        />
      </div>
      {undo.note && <p>{undo.note}</p>}
      <FormStatus error={entries.elsewhere} />
    </ConfirmDialog>
  )
}
