import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import type { Member } from '../../../session/session.ts'
import { Message } from '../../../ui/form-status.tsx'
import { ChangeTable } from './change-table.tsx'
import { ProposalText } from './proposal-text.tsx'
import { FourEyesCause } from './four-eyes-cause.tsx'
import styles from '../orders.module.css'

/** What staff should know before acting: the owner, existing approvals, and obstacles. */
export function OrderNotes({ detail, member }: { detail: ConsoleOrderDetail; member: Member }) {
  const { t } = useMessages()
  const { order, forbids, proposal, takesTwo, isBeingWithdrawn, cancellingNeeds } = detail
  const canAct = member.manageFinance >= 2 && forbids === null
  const isPending = order.status === 'pending'
  return (
    <div className={styles.notes}>
      {forbids === 'own' && <Message kind="note">{t('consoleOrders.own')}</Message>}
      {forbids === 'own_transaction' && <Message kind="note">{t('consoleOrders.ownTransaction')}</Message>}
      {member.manageFinance < 2 && <Message kind="note">{t('consoleOrders.readOnly')}</Message>}
      {proposal && (
        <Message kind="note">
          <ProposalText proposal={proposal}>
            {proposal.by.id === member.id && t('consoleOrders.proposal.own')}
            {!proposal.counts && t('consoleOrders.proposal.gone')}
          </ProposalText>
          {proposal.correction && <ChangeTable changes={proposal.correction} />}
        </Message>
      )}
      {isPending && takesTwo && !proposal && !isBeingWithdrawn && (
        <Message kind="note">
          <FourEyesCause detail={detail} />
        </Message>
      )}
      {isPending && (order.disputed || order.reportedLate) && (
        <Message kind="note">
          {t(order.disputed ? 'consoleOrders.unsettled' : 'consoleOrders.unsettled.late')}
        </Message>
      )}
      {canAct && detail.flags.includes('payment_returned') && (
        <Message kind="note">{t('consoleOrders.paymentReturned')}</Message>
      )}
      {canAct && cancellingNeeds === 'withdrawal' && !isBeingWithdrawn && (
        <Message kind="note">{t('consoleOrders.cancel.withdrawal')}</Message>
      )}
    </div>
  )
}
