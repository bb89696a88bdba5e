import { useState } from 'react'
import {
  getConsoleWithdrawal,
  type ConsoleWithdrawalDetail,
  type WithdrawalAction,
} from '#contract/console-withdrawals.ts'
import { LoadFailed } from '../../../actions/load-failed.tsx'
import { useLoaded } from '../../../actions/use-loaded.ts'
import { call } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import type { Member } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Message } from '../../../ui/form-status.tsx'
import { PagePart } from '../../../ui/page-head.tsx'
import orderStyles from '../orders.module.css'
import { withdrawalActionsFor } from './withdrawal-actions.ts'
import { WithdrawalDialog } from './withdrawal-dialog.tsx'
import { WithdrawalFacts } from './withdrawal-facts.tsx'

type Props = { orderId: string; version: string; member: Member; onChanged: () => void }

/** The member's withdrawal from the displayed order, if there is one. */
export function WithdrawalPart({ orderId, version, member, onChanged }: Props) {
  const { t } = useMessages()
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
      <WithdrawalFacts detail={withdrawal} />
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
    <div className={orderStyles.actions} role="group" aria-label={t('consoleWithdrawals.actions')}>
      {withdrawalActionsFor(detail, member.id).map(({ act, label, kind }) => (
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
  const { t, language, formatDate, formatMoment } = useMessages()
  const { proposal, takesTwo, state } = detail
  const isOpen = state === 'requested' || state === 'accepted'
  return (
    <div className={orderStyles.notes}>
      {state === 'requested' && detail.orderStatus === 'pending' && (
        <Message kind="note">{t('consoleWithdrawals.waits')}</Message>
      )}
      {detail.unsettled.length > 0 && <Message kind="note">{t('consoleWithdrawals.unsettled')}</Message>}
      {isOpen && detail.isPaymentShared && <Message kind="note">{t('consoleWithdrawals.shared')}</Message>}
      {isOpen && takesTwo && !proposal && <Message kind="note">{t('consoleWithdrawals.twoPersons')}</Message>}
      {proposal && (
        <Message kind="note">
          <p>
            {t(`consoleWithdrawals.proposal.${proposal.act}`, {
              name: proposal.by.name,
              time: formatMoment(proposal.at),
              amount: proposal.refund
                ? `${formatDecimal(proposal.refund.amount, language)} ${proposal.refund.currency}`
                : '',
              transaction: proposal.refund?.txId ?? '',
              day: proposal.refund ? formatDate(proposal.refund.paidOn) : '',
            })}
          </p>
          {proposal.by.id === member.id && <p>{t('consoleWithdrawals.proposal.own')}</p>}
          {!proposal.counts && <p>{t('consoleWithdrawals.proposal.gone')}</p>}
          {proposal.reason && <p>{t('consoleWithdrawals.proposal.reason', { reason: proposal.reason })}</p>}
        </Message>
      )}
    </div>
  )
}
