import { useEffect, useRef } from 'react'
import { getOrderChainPayment, type ChainPayment } from '#contract/chain-payments.ts'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { call, callUnseen } from '../../../call/call.ts'
import { isOtherThan, isOver } from '../../../orders/chain/chain-figures.ts'
import { startPolling } from '../../../orders/chain/start-polling.ts'

/** `chain` is null if the order is not monitored, and undefined until this is known. */
export type ShownOrder = { detail: ConsoleOrderDetail; chain: ChainPayment | null | undefined }

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

/**
 * Refreshes the evidence while the page is visible. The order itself is not reloaded, because each access is logged.
 */
export function useEvidence(
  shown: ShownOrder | undefined,
  onNews: (chain: ChainPayment | null) => void,
): void {
  const latest = useRef({ shown, onNews })
  useEffect(() => {
    latest.current = { shown, onNews }
  })
  const isFollowed =
    shown !== undefined &&
    (shown.chain === undefined
      ? shown.detail.order.status === 'pending'
      : shown.chain !== null && !isOver(shown.chain, shown.detail.order))
  const id = isFollowed ? shown.detail.id : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    let isHere = true
    const poll = async () => {
      try {
        const { payment } = await callUnseen(getOrderChainPayment, { params: { id } })
        const isNews = isOtherThan(payment, latest.current.shown?.chain)
        if (isHere) latest.current.onNews(payment)
        return isNews
      } catch {
        return false
      }
    }
    const { stop } = startPolling(poll, () => {})
    return () => {
      isHere = false
      stop()
    }
  }, [id])
}
