import { useState, type ReactNode } from 'react'
import type { FieldError } from '#contract/platform/errors.ts'
import type { Order } from '#contract/money/orders.ts'
import {
  getWithdrawalRight,
  requestWithdrawal,
  type Withdrawal,
  type WithdrawalRight,
} from '#contract/money/withdrawals.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded, type Loaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { addressProblemOn } from '../../kernel/forms/chain-address.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { problemMessage } from '../../kernel/forms/problem-message.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts, type Fact } from '../../kernel/ui/description-list.tsx'
import { TextArea, TextField } from '../../kernel/ui/field.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import styles from './withdrawal.module.css'

type Props = {
  order: Order
  loaded: Loaded<WithdrawalRight>
  /** Whether the page's next action is to enter the refund address. */
  asksForAddress?: boolean
  /** The action that cancels an unpaid order. */
  cancel?: ReactNode
  onChanged: () => void
}

/** The member's right of withdrawal. It is loaded again when the order changes. */
export const useWithdrawalRight = (order: Pick<Order, '_id' | 'updatedAt'>): Loaded<WithdrawalRight> =>
  useLoaded(`${order._id} ${order.updatedAt}`, () => call(getWithdrawalRight, { params: { id: order._id } }))

/** Whether a refund needs an address that only the member can enter. */
export const isRefundAddressMissing = ({ withdrawal, canRequest, refundChain }: WithdrawalRight): boolean =>
  withdrawal !== null &&
  ['requested', 'accepted'].includes(withdrawal.state) &&
  withdrawal.refundAddress === '' &&
  canRequest &&
  refundChain !== null

/**
 * The only way out of an order: canceling while nothing is paid, and withdrawing once a payment was made or is on its
 * way, with the deadline and the status. If the installation grants no right of withdrawal, withdrawing is not
 * mentioned.
 */
export function OrderWithdrawal({ order, loaded, asksForAddress = false, cancel = null, onChanged }: Props) {
  const { t } = useMessages()
  const [isDialogOpen, setDialogOpen] = useState(false)
  if (loaded.state === 'loading') return cancel
  if (loaded.state === 'failed')
    return (
      <>
        <LoadFailed title={t('withdrawals.failed')} failure={loaded.failure} retry={loaded.retry} />
        {cancel}
      </>
    )
  const right = withoutClosed(loaded.data)
  const isWithoutRight =
    right.withdrawal === null && !right.canRequest && (right.until === null || order.status === 'cancelled')
  if (isWithoutRight) return cancel
  // A payment that has only been seen on chain so far leaves no other way out.
  const isOffered = right.canRequest && !(right.isUnpaid && cancel)
  const reload = () => {
    loaded.reload()
    onChanged()
  }
  return (
    <PagePart id="withdrawal" heading={t('withdrawals.heading')}>
      {right.withdrawal ? (
        <Made withdrawal={right.withdrawal} isOnChain={right.refundChain !== null} />
      ) : (
        <Offer right={right} isOffered={isOffered} isCancelled={order.status === 'cancelled'} />
      )}
      {isOffered && <Ask right={right} isNext={asksForAddress} onAsk={() => setDialogOpen(true)} />}
      {isDialogOpen && (
        <WithdrawDialog order={order} right={right} onDone={reload} onClose={() => setDialogOpen(false)} />
      )}
      {!isOffered && cancel}
    </PagePart>
  )
}

type AskProps = { right: WithdrawalRight; isNext: boolean | undefined; onAsk: () => void }

/** The button that opens the dialog to withdraw or to enter the refund address. */
function Ask({ right, isNext, onAsk }: AskProps) {
  const { t } = useMessages()
  return (
    <p className={styles.ask}>
      <Button kind={isNext ? 'primary' : 'quiet'} onClick={onAsk}>
        {t(right.withdrawal ? 'withdrawals.address' : 'withdrawals.ask')}
      </Button>
    </p>
  )
}

/** A closed withdrawal gives way to a new request if money came for the canceled order. */
const withoutClosed = (right: WithdrawalRight): WithdrawalRight =>
  right.canRequest && ['unpaid', 'refused'].includes(right.withdrawal?.state ?? '')
    ? { ...right, withdrawal: null }
    : right

/** Describes the end of a day in everyday words, or the exact time of the sale's end, which can be at any hour. */
function describeDeadline(
  { t, language, formatDate }: UsedMessages,
  { until, lastDay, timeZone, canRequest }: WithdrawalRight,
) {
  if (lastDay !== null) {
    const values = { day: formatDate(lastDay), zone: timeZone }
    return canRequest ? t('withdrawals.lead.day', values) : t('withdrawals.over.day', values)
  }
  const values = { moment: formatMoment(until ?? '', language) }
  return canRequest ? t('withdrawals.lead.moment', values) : t('withdrawals.over.moment', values)
}

type OfferProps = { right: WithdrawalRight; isOffered: boolean; isCancelled: boolean }

function Offer({ right, isOffered, isCancelled }: OfferProps) {
  const messages = useMessages()
  const { t } = messages
  // What was received for a canceled order can be reclaimed at any time.
  if (isCancelled) return <p className={styles.text}>{t('withdrawals.lead.cancelled')}</p>
  return (
    <div className={styles.text}>
      <p>{describeDeadline(messages, right)}</p>
      {right.canRequest && <p>{t(isOffered ? 'withdrawals.lead.paid' : 'withdrawals.lead.unpaid')}</p>}
    </div>
  )
}

const colours: Readonly<Record<Withdrawal['state'], TagColor>> = {
  requested: 'yellow',
  accepted: 'verdigris',
  refused: 'red',
  refunded: 'green',
  unpaid: 'quiet',
}

function Made({ withdrawal, isOnChain }: { withdrawal: Withdrawal; isOnChain: boolean }) {
  const { t, language, formatDate } = useMessages()
  const { state, refund, reason, note } = withdrawal
  const moment = (iso: string) => <time dateTime={iso}>{formatMoment(iso, language)}</time>
  const waits = state === 'requested' || state === 'accepted'
  const facts: (Fact | false)[] = [
    {
      name: 'state',
      label: t('withdrawals.state'),
      value: <Tag colour={colours[state]}>{t(`withdrawals.state.${state}`)}</Tag>,
    },
    {
      name: 'reference',
      label: t('withdrawals.reference'),
      value: <span className={styles.code}>{withdrawal.reference}</span>,
    },
    { name: 'received', label: t('withdrawals.received'), value: moment(withdrawal.requestedAt) },
    waits && {
      name: 'refundBefore',
      label: t('withdrawals.refundBefore'),
      value: moment(withdrawal.refundBefore),
    },
    waits && {
      name: 'refundTo',
      label: t('withdrawals.refundTo'),
      value: withdrawal.refundAddress ? (
        <span className={styles.code}>{withdrawal.refundAddress}</span>
      ) : (
        t(isOnChain ? 'withdrawals.refundTo.asked' : 'withdrawals.refundTo.account')
      ),
    },
    refund !== null && {
      name: 'refunded',
      label: t('withdrawals.refunded'),
      value: `${formatDecimal(refund.amount, language)} ${refund.currency}`,
    },
    refund !== null && {
      name: 'paidOn',
      label: t('withdrawals.refunded.on'),
      value: <time dateTime={refund.paidOn}>{formatDate(refund.paidOn)}</time>,
    },
    refund !== null && {
      name: 'txId',
      label: t('withdrawals.refunded.txId'),
      value: <span className={styles.code}>{refund.txId}</span>,
    },
    reason !== '' && { name: 'reason', label: t('withdrawals.reason'), value: reason },
    note !== '' && { name: 'note', label: t('withdrawals.note'), value: note },
  ]
  return <Facts facts={facts.filter((fact) => fact !== false)} />
}

const { refundAddress: addressField, note: noteField } = requestWithdrawal.body.shape

type DialogProps = { order: Order; right: WithdrawalRight; onDone: () => void; onClose: () => void }

/** The input of the dialog, and how it is sent. */
function useWithdrawalRequest({ order, right, onDone, onClose }: DialogProps) {
  const { t } = useMessages()
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const { refundChain } = right
  const problemOf = (path: string) => problems.find((each) => each.path === path)?.message

  function request() {
    const message = refundChain === null ? null : addressProblem(t, refundChain, address)
    setProblems(message === null ? [] : [{ path: 'refundAddress', code: 'address', message }])
    if (message !== null) return null
    const refundAddress = address.trim()
    return call(requestWithdrawal, {
      params: { id: order._id },
      body: { ...(refundAddress && { refundAddress }), ...(note.trim() && { note: note.trim() }) },
    })
  }
  function showFailure(failure: unknown): boolean {
    if (!(failure instanceof CallFailed)) return false
    if (failure.code === 'conflict' || failure.code === 'not_found') {
      onClose()
      showNotice(t('withdrawals.ask.late'), 'error')
      onDone()
      return true
    }
    setProblems(failure.errors)
    return failure.errors.some(({ path }) => path === 'refundAddress' || path === 'note')
  }
  return { address, setAddress, note, setNote, problemOf, request, showFailure }
}

/** What the dialog says: the member withdraws, or replaces the address of a refund that finance started. */
const wordsOf = ({ withdrawal }: WithdrawalRight) =>
  withdrawal
    ? ({
        title: 'withdrawals.address.title',
        confirm: 'withdrawals.address.confirm',
        dismiss: 'forms.cancel',
        text: 'withdrawals.address.text',
        account: 'withdrawals.address.account',
        done: 'withdrawals.address.done',
      } as const)
    : ({
        title: 'withdrawals.ask.title',
        confirm: 'withdrawals.ask.confirm',
        dismiss: 'withdrawals.ask.keep',
        text: 'withdrawals.ask.text',
        account: 'withdrawals.ask.account',
        done: 'withdrawals.ask.done',
      } as const)

/** Explains the effect and asks for the refund address, which is the only input needed. */
function WithdrawDialog(props: DialogProps) {
  const { order, right, onDone, onClose } = props
  const { t } = useMessages()
  const { refundChain } = right
  const words = wordsOf(right)
  const { address, setAddress, note, setNote, problemOf, request, showFailure } = useWithdrawalRequest(props)
  return (
    <ConfirmDialog
      title={t(words.title, { reference: order.reference })}
      label={t(words.confirm)}
      kind={right.withdrawal ? 'primary' : 'danger'}
      dismissLabel={t(words.dismiss)}
      step={request}
      onFailure={showFailure}
      onDone={() => {
        showNotice(t(words.done), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(words.text)}</p>
      {order.status === 'completed' && <p>{t('withdrawals.ask.tokens')}</p>}
      {refundChain === null && <p>{t(words.account)}</p>}
      <div className={styles.fields}>
        {refundChain !== null && (
          <TextField
            label={t('withdrawals.ask.address')}
            help={t('withdrawals.ask.address.help', { coin: order.currency })}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            maxLength={boundsOf(addressField).maxLength}
            error={problemOf('refundAddress')}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
        <TextArea
          label={t('withdrawals.ask.note')}
          help={t('withdrawals.ask.note.help')}
          rows={2}
          maxLength={boundsOf(noteField).maxLength}
          error={problemOf('note')}
          value={note}
          onChange={({ target }) => setNote(target.value.replaceAll(/\s*\n\s*/g, ' '))}
        />
      </div>
    </ConfirmDialog>
  )
}

function addressProblem(
  t: UsedMessages['t'],
  chain: NonNullable<WithdrawalRight['refundChain']>,
  address: string,
): string | null {
  if (!address.trim()) return problemMessage(t, 'required')
  const problem = chain === 'other' ? undefined : addressProblemOn(chain, address)
  return problem ? problemMessage(t, problem) : null
}
