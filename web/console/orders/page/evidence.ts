import { useEffect, useRef } from 'react'
import { getOrderChainPayment, type ChainPayment } from '#contract/money/chain-payments.ts'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/money/console-orders.ts'
import { call, callUnseen } from '../../../kernel/call/call.ts'
import { isOtherThan, isOver } from '../../../orders/chain/chain-figures.ts'
import { startPolling } from '../../../orders/chain/start-polling.ts'
import type { DetailContext } from '../../detail/detail-page.tsx'

/** `chain` is null if the order is not monitored, and undefined until this is known. */
export type ShownOrder = { detail: ConsoleOrderDetail; chain: ChainPayment | null | undefined }

export type OrderContext = DetailContext<ShownOrder>

/** The page also works without the chain status. */
export async function loadWithEvidence(id: string): Promise<ShownOrder> {
  const [detail, chain] = await Promise.all([
    call(getConsoleOrder, { params: { id } }),
    callUnseen(getOrderChainPayment, { params: { id } }).then(
      ({ payment }) => payment,
      () => undefined,
    ),
  ])
  return { detail, chain }
}

const isFollowed = ({ detail: { order }, chain }: ShownOrder): boolean =>
  chain === undefined ? order.status === 'pending' : chain !== null && !isOver(chain, order)

/**
 * Refreshes the evidence while the page is visible. The order itself is not reloaded, because each access is logged.
 */
export function EvidenceUpdates({ of }: { of: OrderContext }): null {
  const latest = useRef(of)
  useEffect(() => {
    latest.current = of
  })
  const id = isFollowed(of.record) ? of.record.detail.id : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    let isHere = true
    const poll = async () => {
      try {
        const { payment } = await callUnseen(getOrderChainPayment, { params: { id } })
        const { record, show } = latest.current
        if (isHere) show({ ...record, chain: payment })
        return isOtherThan(payment, record.chain)
      } catch {
        return false
      }
    }
    const { stop } = startPolling({ poll, onRest: () => {} })
    return () => {
      isHere = false
      stop()
    }
  }, [id])
  return null
}
