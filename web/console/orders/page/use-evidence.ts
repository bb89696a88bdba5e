import { useEffect, useRef } from 'react'
import { getOrderChainPayment, type ChainPayment } from '#contract/chain-payments.ts'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { call, callUnseen } from '../../../call/call.ts'
import { isOtherThan, isOver } from '../../../orders/chain/chain-figures.ts'
import { keepLooking } from '../../../orders/chain/keep-looking.ts'

/** `chain` is null where nobody watches the order, and undefined while that is not known. */
export type ShownOrder = { detail: ConsoleOrderDetail; chain: ChainPayment | null | undefined }

/** The page stands without what the chain says. */
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

/** Keeps the evidence fresh while the page is seen. The order itself stays as it was opened: each opening is recorded. */
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
    const look = async () => {
      try {
        const { payment } = await callUnseen(getOrderChainPayment, { params: { id } })
        const isNews = isOtherThan(payment, latest.current.shown?.chain)
        if (isHere) latest.current.onNews(payment)
        return isNews
      } catch {
        return false
      }
    }
    const { stop } = keepLooking(look, () => {})
    return () => {
      isHere = false
      stop()
    }
  }, [id])
}
