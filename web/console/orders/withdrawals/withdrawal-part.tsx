import { useState } from 'react'
import {
  getConsoleWithdrawal,
  type ConsoleWithdrawalDetail,
  type WithdrawalAction,
} from '#contract/money/console-withdrawals.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import type { WithdrawalState } from '#contract/money/withdrawals.ts'
import { LoadFailed } from '../../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../../kernel/actions/use-loaded.ts'
import { call } from '../../../kernel/call/call.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import type { Member } from '../../../kernel/session/session.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { PagePart } from '../../../kernel/ui/page-head.tsx'
import { LabeledFacts, type LabeledValues } from '../../detail/labeled-facts.tsx'
import { Figure } from '../figure.tsx'
import { Moment } from '../orders-list.tsx'
import styles from '../orders.module.css'
import { refundTo, WithdrawalDialog } from './withdrawal-dialog.tsx'
import { basisLabels } from './withdrawal-labels.ts'
import { WithdrawalTags } from './withdrawals-list.tsx'

type Offered = { act: WithdrawalAction; label: PlainKey; kind: 'primary' | 'quiet' }

const accept: Offered = { act: 'accept', label: 'consoleWithdrawals.accept', kind: 'primary' }
const refuse: Offered = { act: 'refuse', label: 'consoleWithdrawals.refuse', kind: 'quiet' }
const refund: Offered = { act: 'refund', label: 'consoleWithdrawals.refund', kind: 'primary' }

const close: Offered = { act: 'close', label: 'consoleWithdrawals.close', kind: 'quiet' }

const actions: Readonly<Record<WithdrawalState, readonly Offered[]>> = {
  requested: [accept, refuse, close],
  accepted: [refund, close],
  // Corrects a wrong refusal, a late payment, or a typing error.
  refused: [{ ...accept, kind: 'quiet' }],
  unpaid: [{ ...accept, kind: 'quiet' }],
  refunded: [{ ...refund, label: 'consoleWithdrawals.refund.correct', kind: 'quiet' }],
}

/**
 * The actions available in the current status. A proposal needs a second approver, and its author can only enter a
 * different refund.
 */
function actionsFor(detail: ConsoleWithdrawalDetail, memberId: string): Offered[] {
  const { state, proposal, unsettled, amount, amountIs, orderStatus } = detail
  const isOwn = (act: WithdrawalAction) =>
    proposal?.counts === true && proposal.by.id === memberId && proposal.act === act && act !== 'refund'
  // Staff must first decide which order the payment belongs to.
  if (unsettled.length > 0) return []
  const isReceived = amountIs === 'received' && amount !== null && parseDecimal(amount) > 0n
  const isPaid = isReceived || orderStatus === 'completed'
  return actions[state].filter(({ act }) => !isOwn(act) && !(act === 'close' && isPaid))
}

type Props = { orderId: string; version: string; member: Member; onChanged: () => void }

/** The member's withdrawal from the displayed order, if there is one. */
export function WithdrawalPart({ orderId, version, member, onChanged }: Props) {
  const messages = useMessages()
  const { t } = messages
  // Actions on the order may change the withdrawal, so a new version reloads it.
  const loaded = useLoaded(`${orderId} ${version}`, () =>
    call(getConsoleWithdrawal, { params: { id: orderId } }),
  )
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed')
    return <LoadFailed title={t('consoleWithdrawals.failed')} failure={loaded.failure} retry={loaded.retry} />
  const { withdrawal } = loaded.data
  if (!withdrawal) return null
  const reload = () => {
    loaded.reload()
    onChanged()
  }
  return (
    <PagePart id="withdrawal" heading={t('consoleWithdrawals.one', { reference: withdrawal.reference })}>
      <Notes detail={withdrawal} member={member} />
      <ActionButtons detail={withdrawal} member={member} onChanged={reload} />
      <LabeledFacts facts={factsOf(withdrawal, messages)} />
    </PagePart>
  )
}

function ActionButtons({
  detail,
  member,
  onChanged,
}: {
  detail: ConsoleWithdrawalDetail
  member: Member
  onChanged: () => void
}) {
  const { t } = useMessages()
  const [openAction, setOpenAction] = useState<{ act: WithdrawalAction; begun: ConsoleWithdrawalDetail }>()
  // Actions that the server would reject are not offered.
  if (member.manageFinance < 2 || detail.forbids !== null) return null
  return (
    <div className={styles.actions} role="group" aria-label={t('consoleWithdrawals.actions')}>
      {actionsFor(detail, member.id).map(({ act, label, kind }) => (
        <Button key={act} kind={kind} onClick={() => setOpenAction({ act, begun: detail })}>
          {t(label)}
        </Button>
      ))}
      {openAction && (
        <WithdrawalDialog
          act={openAction.act}
          detail={openAction.begun}
          memberId={member.id}
          onDone={onChanged}
          onClose={() => setOpenAction(undefined)}
        />
      )}
    </div>
  )
}

/** What staff should know before acting. The order page already says if it is the reader's own order. */
function Notes({ detail, member }: { detail: ConsoleWithdrawalDetail; member: Member }) {
  const { t } = useMessages()
  const { proposal, takesTwo, state } = detail
  const keys = [
    state === 'requested' && detail.orderStatus === 'pending' && 'consoleWithdrawals.waits',
    detail.unsettled.length > 0 && 'consoleWithdrawals.unsettled',
    isOpen(detail) && detail.isPaymentShared && 'consoleWithdrawals.shared',
    isOpen(detail) && takesTwo && !proposal && 'consoleWithdrawals.twoPersons',
  ] as const
  return (
    <div className={styles.notes}>
      {keys.map(
        (key) =>
          key && (
            <Message key={key} kind="note">
              {t(key)}
            </Message>
          ),
      )}
      {proposal && <Proposal proposal={proposal} isOwn={proposal.by.id === member.id} />}
    </div>
  )
}

type ProposalProps = { proposal: NonNullable<ConsoleWithdrawalDetail['proposal']>; isOwn: boolean }

function Proposal({ proposal: { act, by, at, refund, reason, counts }, isOwn }: ProposalProps) {
  const { t, language, formatDate } = useMessages()
  return (
    <Message kind="note">
      <p>
        {t(`consoleWithdrawals.proposal.${act}`, {
          name: staffName(by.name, language),
          time: formatMoment(at, language),
          amount: refund ? `${formatDecimal(refund.amount, language)} ${refund.currency}` : '',
          transaction: refund?.txId ?? '',
          day: refund ? formatDate(refund.paidOn) : '',
        })}
      </p>
      {isOwn && <p>{t('consoleWithdrawals.proposal.own')}</p>}
      {!counts && <p>{t('consoleWithdrawals.proposal.gone')}</p>}
      {reason && <p>{t('consoleWithdrawals.proposal.reason', { reason })}</p>}
    </Message>
  )
}

const isOpen = ({ state }: ConsoleWithdrawalDetail): boolean => state === 'requested' || state === 'accepted'

function factsOf(detail: ConsoleWithdrawalDetail, { t, language, formatDate }: UsedMessages): LabeledValues {
  const { state, withdrawal, refund, currency, seenOnChain, amountIs } = detail
  return {
    'consoleWithdrawals.state': <WithdrawalTags state={state} isOverdue={detail.isOverdue} />,
    'consoleWithdrawals.requested': <Moment at={detail.requestedAt} />,
    'consoleWithdrawals.until': <Moment at={detail.until} />,
    [basisLabels[amountIs]]: <Figure value={detail.amount} unit={currency} />,
    'consoleWithdrawals.seenOnChain': seenOnChain !== null && amountIs === 'received' && (
      <Figure value={seenOnChain} unit={currency} />
    ),
    'consoleWithdrawals.refundTo': state !== 'unpaid' && refundTo(t, detail),
    'consoleWithdrawals.due': isOpen(detail) && <Moment at={detail.refundBefore} />,
    'consoleWithdrawals.note': withdrawal.note,
    'consoleWithdrawals.reason': withdrawal.reason,
    'consoleWithdrawals.decidedBy': detail.decidedBy && staffName(detail.decidedBy.name, language),
    'consoleWithdrawals.refunded': refund && <Figure value={refund.amount} unit={refund.currency} />,
    'consoleWithdrawals.paidOn': refund && formatDate(refund.paidOn),
    'consoleWithdrawals.txId': refund && <span className={styles.code}>{refund.txId}</span>,
    'consoleWithdrawals.refundedBy': detail.refundedBy && staffName(detail.refundedBy.name, language),
  }
}
