import { useState } from 'react'
import type { ChainPayment } from '#contract/chain-payments.ts'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { showNotice } from '../../../notices/notices.ts'
import { Button } from '../../../ui/button.tsx'
import styles from '../orders.module.css'
import { ActionDialog } from './action-dialog.tsx'
import type { OrderContext } from './evidence.ts'
import { actionsFor } from './order-action.ts'

export function OrderActions({ of }: { of: OrderContext }) {
  const { t } = of
  const { offered, ask, dialog } = useOrderActions(of)
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
