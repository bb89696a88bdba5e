import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useWords } from '../../../i18n/words.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import type { Member } from '../../../session/session.ts'
import { Message } from '../../../ui/form-status.tsx'
import { ChangeTable } from './change-table.tsx'
import styles from '../orders.module.css'

/** What one has to know before acting: whose order it is, who has spoken, and what stands in the way. */
export function OrderNotes({ detail, member }: { detail: ConsoleOrderDetail; member: Member }) {
  const { t, language, formatMoment } = useWords()
  const { order, forbids, proposal, takesTwo, twoPersonsFrom } = detail
  const isPending = order.status === 'pending'
  return (
    <div className={styles.notes}>
      {forbids === 'own' && <Message kind="note">{t('consoleOrders.own')}</Message>}
      {forbids === 'own_transaction' && <Message kind="note">{t('consoleOrders.ownTransaction')}</Message>}
      {member.manageFinance < 2 && <Message kind="note">{t('consoleOrders.readOnly')}</Message>}
      {proposal && (
        <Message kind="note">
          <p>
            {t(proposal.correction ? 'consoleOrders.proposal.correction' : 'consoleOrders.proposal', {
              name: proposal.by.name,
              time: formatMoment(proposal.at),
            })}{' '}
            {proposal.by.id === member.id && t('consoleOrders.proposal.own')}
            {!proposal.counts && t('consoleOrders.proposal.gone')}
          </p>
          {proposal.correction && <ChangeTable changes={proposal.correction} />}
          {proposal.reason && <p>{t('consoleOrders.proposal.reason', { reason: proposal.reason })}</p>}
        </Message>
      )}
      {isPending && takesTwo && !proposal && twoPersonsFrom !== null && (
        <Message kind="note">
          {order.exactFabQty === null
            ? t('consoleOrders.twoPersons.unknown')
            : t('consoleOrders.twoPersons', { amount: formatDecimal(twoPersonsFrom, language) })}
        </Message>
      )}
      {isPending && (order.disputed || order.reportedLate) && (
        <Message kind="note">{t('consoleOrders.unsettled')}</Message>
      )}
    </div>
  )
}
