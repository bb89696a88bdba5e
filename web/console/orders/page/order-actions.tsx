import type { ChainPayment } from '#contract/chain-payments.ts'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import type { Member } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import styles from '../orders.module.css'
import { ActionDialog } from './action-dialog.tsx'
import { actionsFor } from './order-action.ts'

/** The requested action, and the order when it was requested. */
export type RequestedAction = { name: string; detail: ConsoleOrderDetail; chain: ChainPayment | null }

type ActionContext = { detail: ConsoleOrderDetail; chain: ChainPayment | null; member: Member }

type Props = ActionContext & {
  requested: RequestedAction | undefined
  onAsk: (name: string) => void
  onClose: () => void
  onChanged: () => void
  /** Called if someone else has changed the order. */
  onNow: (detail: ConsoleOrderDetail) => void
}

/** Actions that the server would reject are not offered. With level 1, and for one's own orders, there are none. */
const offeredTo = ({ detail, chain, member }: ActionContext) =>
  member.manageFinance < 2 || detail.forbids !== null ? [] : actionsFor(detail, member.id, chain)

export const canAct = (context: ActionContext, action: string): boolean =>
  offeredTo(context).some(({ name }) => name === action)

export function OrderActions({ detail, chain, member, requested, onAsk, onClose, onChanged, onNow }: Props) {
  const { t } = useMessages()
  const offered = offeredTo({ detail, chain, member })
  if (offered.length === 0) return null
  const action =
    requested &&
    actionsFor(requested.detail, member.id, requested.chain).find(({ name }) => name === requested.name)
  return (
    <div className={styles.actions} role="group" aria-label={t('consoleOrders.actions')}>
      {offered.map(({ name, label, kind }) => (
        <Button key={name} kind={kind ?? 'quiet'} onClick={() => onAsk(name)}>
          {t(label)}
        </Button>
      ))}
      {requested && action && (
        <ActionDialog
          action={action}
          detail={requested.detail}
          onNow={onNow}
          isStill={(now) =>
            now.forbids === null &&
            actionsFor(now, member.id, requested.chain).some(
              ({ name, label }) => name === action.name && label === action.label,
            )
          }
          onClose={onClose}
          onDone={(values, now) => {
            const { done } = action
            showNotice(t(typeof done === 'function' ? done(values, now) : done), 'success')
            onChanged()
          }}
        />
      )}
    </div>
  )
}
