import { useState } from 'react'
import {
  acceptWithdrawal,
  closeWithdrawal,
  recordRefund,
  refuseWithdrawal,
  type ConsoleWithdrawalDetail,
  type WithdrawalAction,
} from '#contract/console-withdrawals.ts'
import { parseDecimal } from '#contract/decimal.ts'
import { MINUTE } from '#contract/durations.ts'
import type { FieldError } from '#contract/errors.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { problemMessage } from '../../../forms/problem-message.ts'
import type { KeyTaking, PlainKey } from '../../../i18n/message-key.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { typedAmount, typedFrom } from '../../../orders/placing/typed-amount.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Facts } from '../../../ui/description-list.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import styles from '../orders.module.css'
import { decimalOf } from '../page/payment-actions.ts'
import { refundToFact } from './withdrawal-facts.tsx'
import { basisHelp } from './withdrawal-labels.ts'

type ActionText = {
  title: KeyTaking<'reference'>
  text: PlainKey
  confirm: PlainKey
  propose: PlainKey
  done: PlainKey
  reason: PlainKey
  kind: 'primary' | 'danger'
}

const actionTexts: Readonly<Record<WithdrawalAction, ActionText>> = {
  accept: {
    title: 'consoleWithdrawals.accept.title',
    text: 'consoleWithdrawals.accept.text',
    confirm: 'consoleWithdrawals.accept.confirm',
    propose: 'consoleWithdrawals.accept.propose',
    done: 'consoleWithdrawals.accept.done',
    reason: 'consoleWithdrawals.reason.optional',
    kind: 'primary',
  },
  refuse: {
    title: 'consoleWithdrawals.refuse.title',
    text: 'consoleWithdrawals.refuse.text',
    confirm: 'consoleWithdrawals.refuse.confirm',
    propose: 'consoleWithdrawals.refuse.propose',
    done: 'consoleWithdrawals.refuse.done',
    reason: 'consoleWithdrawals.reason.required',
    kind: 'danger',
  },
  close: {
    title: 'consoleWithdrawals.close.title',
    text: 'consoleWithdrawals.close.text',
    confirm: 'consoleWithdrawals.close.confirm',
    propose: 'consoleWithdrawals.close.propose',
    done: 'consoleWithdrawals.close.done',
    reason: 'consoleWithdrawals.reason.required',
    kind: 'danger',
  },
  refund: {
    title: 'consoleWithdrawals.refund.title',
    text: 'consoleWithdrawals.refund.text',
    confirm: 'consoleWithdrawals.refund.confirm',
    propose: 'consoleWithdrawals.refund.propose',
    done: 'consoleWithdrawals.refund.done',
    reason: 'consoleWithdrawals.reason.refund',
    kind: 'primary',
  },
}

const fields = recordRefund.body.shape
const neededOf = {
  accept: [],
  refuse: ['reason'],
  close: ['reason'],
  refund: ['amount', 'currency', 'txId', 'paidOn'],
} as const satisfies Record<WithdrawalAction, readonly string[]>

/** Whether the action would be a proposal: it requires four-eyes approval, and nobody else has proposed the same. */
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
  values: { amount: string; currency: string },
): boolean {
  const given = decimalOf(values.amount)
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
    values.currency.trim().toLowerCase() === currency.toLowerCase()
  )
}

/** Today's date in the reader's time zone, as `2036-05-01`. */
const localToday = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * MINUTE).toISOString().slice(0, 10)
}

type Props = {
  act: WithdrawalAction
  /** The state when the dialog was opened. */
  detail: ConsoleWithdrawalDetail
  memberId: string
  onDone: () => void
  onClose: () => void
}

/**
 * Asks for confirmation and, for a refund, for the amount that was sent. The second person enters it too, so that
 * nobody approves without comparing.
 */
export function WithdrawalDialog({ act, detail, memberId, onDone, onClose }: Props) {
  const { t, language } = useMessages()
  const { refund, amount, amountIs, currency, id, updatedAt, orderStatus, reference } = detail
  const [values, setValues] = useState({
    amount: typedFrom(refund?.amount ?? amount ?? ''),
    currency: refund?.currency ?? currency,
    txId: refund?.txId ?? '',
    paidOn: refund?.paidOn ?? '',
    reason: '',
  })
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const words = actionTexts[act]
  const isProposing = proposes(detail, act, memberId)
  const isCorrecting = act === 'refund' && detail.state === 'refunded'
  const needsReason = act === 'refund' && !isUsualRefund(detail, values)
  const reason = values.reason.trim()

  const send = (readAmount: string) => {
    const seen = { params: { id } }
    if (act === 'accept') return call(acceptWithdrawal, { ...seen, body: { reason, updatedAt } })
    if (act === 'refuse') return call(refuseWithdrawal, { ...seen, body: { reason, updatedAt } })
    if (act === 'close') return call(closeWithdrawal, { ...seen, body: { reason, updatedAt } })
    return call(recordRefund, { ...seen, body: { ...values, amount: readAmount, reason, updatedAt } })
  }

  const input = (name: Exclude<keyof typeof values, 'reason'>, label: PlainKey, help?: string) => (
    <TextField
      label={t(label)}
      help={help}
      autoComplete="off"
      spellCheck={false}
      type={name === 'paidOn' ? 'date' : 'text'}
      max={name === 'paidOn' ? localToday() : undefined}
      maxLength={boundsOf(fields[name]).maxLength}
      error={problems.find(({ path }) => path === name)?.message}
      value={values[name]}
      onChange={({ target }) => setValues({ ...values, [name]: target.value })}
    />
  )
  const fieldNames = act === 'refund' ? Object.keys(values) : ['reason']
  const elsewhere = problems.filter(({ path }) => !fieldNames.includes(path))

  return (
    <ConfirmDialog
      title={t(isCorrecting ? 'consoleWithdrawals.refund.correctTitle' : words.title, { reference })}
      label={t(
        isProposing
          ? words.propose
          : isCorrecting
            ? 'consoleWithdrawals.refund.correctConfirm'
            : words.confirm,
      )}
      kind={words.kind}
      step={() => {
        const needed = [...neededOf[act], ...(needsReason ? (['reason'] as const) : [])]
        const missing = needed.filter((name) => values[name].trim() === '')
        const message = problemMessage(t, 'required')
        const typed = typedAmount.safeParse(values.amount)
        const isNoAmount = act === 'refund' && !missing.some((name) => name === 'amount') && !typed.success
        const wrong = isNoAmount ? (typed.error.issues[0]?.message ?? 'number') : undefined
        setProblems([
          ...missing.map((path) => ({ path, code: 'required' as const, message })),
          ...(wrong ? [{ path: 'amount', code: 'number' as const, message: problemMessage(t, wrong) }] : []),
        ])
        return missing.length > 0 || wrong ? null : send(typed.data ?? values.amount)
      }}
      onDone={(now) => {
        const isProposed = now.proposal !== null
        showNotice(t(isProposed ? 'consoleWithdrawals.proposed' : words.done), 'success')
        onDone()
      }}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed)) return false
        if (failure.code === 'conflict' && failure.errors.length === 0) {
          onClose()
          showNotice(t('consoleWithdrawals.stale'), 'error')
          onDone()
          return true
        }
        setProblems(failure.errors)
        return failure.errors.length > 0
      }}
      onClose={onClose}
    >
      <p>{t(words.text)}</p>
      {isProposing && <p>{t('consoleWithdrawals.twoPersons')}</p>}
      {act === 'accept' && orderStatus === 'pending' && <p>{t('consoleWithdrawals.accept.pending')}</p>}
      {act === 'accept' && orderStatus === 'completed' && <p>{t('consoleWithdrawals.accept.completed')}</p>}
      {(act === 'accept' || act === 'refund') && (
        <div className={styles.completion}>
          <Facts facts={[refundToFact(t, detail)]} />
        </div>
      )}
      <div className={styles.fields}>
        {act === 'refund' && (
          <>
            {input(
              'amount',
              'consoleWithdrawals.refund.amount',
              amount === null
                ? undefined
                : t(basisHelp[amountIs], {
                    amount: `${formatDecimal(amount, language)} ${currency}`,
                  }),
            )}
            {input('currency', 'consoleWithdrawals.coin')}
            {input('txId', 'consoleWithdrawals.txId')}
            {input('paidOn', 'consoleWithdrawals.paidOn')}
          </>
        )}
        <TextArea
          label={t(words.reason)}
          help={
            act === 'refund'
              ? t(needsReason ? 'consoleWithdrawals.reason.refund.needed' : 'consoleOrders.reason.notNeeded')
              : undefined
          }
          rows={3}
          maxLength={boundsOf(fields.reason).maxLength}
          error={problems.find(({ path }) => path === 'reason')?.message}
          value={values.reason}
          onChange={({ target }) =>
            setValues({ ...values, reason: target.value.replaceAll(/\s*\n\s*/g, ' ') })
          }
        />
      </div>
      <FormStatus error={elsewhere.map(({ message }) => message).join(' ')} />
    </ConfirmDialog>
  )
}
