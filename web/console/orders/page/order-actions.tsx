import { useState } from 'react'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useWords } from '../../../i18n/words.tsx'
import { showNotice } from '../../../notices/notices.ts'
import type { Member } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import styles from '../orders.module.css'
import { ActionDialog } from './action-dialog.tsx'
import { actionsFor } from './order-action.ts'

type Props = {
  detail: ConsoleOrderDetail
  member: Member
  onChanged: () => void
  /** Somebody else has changed it. */
  onNow: (detail: ConsoleOrderDetail) => void
}

/** Nobody is offered what would be refused: with level 1, and for orders of their own, nothing. */
export function OrderActions({ detail, member, onChanged, onNow }: Props) {
  const { t } = useWords()
  const [asked, setAsked] = useState<string>()
  // The dialog keeps what it began with while the page beside it learns more.
  const [begun, setBegun] = useState(detail)
  if (member.manageFinance < 2 || detail.forbids !== null) return null
  const action =
    asked === undefined ? undefined : actionsFor(begun, member.id).find(({ name }) => name === asked)
  return (
    <div className={styles.actions} role="group" aria-label={t('consoleOrders.actions')}>
      {actionsFor(detail, member.id).map(({ name, label, kind }) => (
        <Button
          key={name}
          kind={kind ?? 'quiet'}
          onClick={() => {
            setBegun(detail)
            setAsked(name)
          }}
        >
          {t(label)}
        </Button>
      ))}
      {action && (
        <ActionDialog
          action={action}
          detail={begun}
          onNow={onNow}
          isStill={(now) =>
            now.forbids === null &&
            actionsFor(now, member.id).some(
              ({ name, label }) => name === action.name && label === action.label,
            )
          }
          onClose={() => setAsked(undefined)}
          onDone={() => {
            showNotice(t(action.done), 'success')
            onChanged()
          }}
        />
      )}
    </div>
  )
}
