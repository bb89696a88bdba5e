import { useEffect, useRef, useState } from 'react'
import { getChainPayment, type ChainPayment } from '#contract/money/chain-payments.ts'
import { getOrder, getOrderPayment, type Order, type OrderPayment } from '#contract/money/orders.ts'
import { call, callUnseen } from '../../kernel/call/call.ts'
import { isOtherThan, isOver } from '../chain/chain-figures.ts'
import { followChanges } from '../chain/follow-changes.ts'
import { startPolling, type Polling } from '../chain/start-polling.ts'

/** An order with its payment. `chain` is null if the chain is not monitored, and undefined until this is known. */
type ShownOrder = { order: Order; payment: OrderPayment; chain: ChainPayment | null | undefined }

const loadOrder = (id: string, by: typeof call = call): Promise<[Order, OrderPayment]> =>
  Promise.all([by(getOrder, { params: { id } }), by(getOrderPayment, { params: { id } })])

/** The page also works without the chain status. */
export async function loadShownOrder(id: string): Promise<ShownOrder> {
  const [[order, payment], chain] = await Promise.all([
    loadOrder(id),
    callUnseen(getChainPayment, { params: { id } }).then(
      (answer) => answer.payment,
      () => undefined,
    ),
  ])
  return { order, payment, chain }
}

export type Following = {
  /** Whether the page cannot reach the server. */
  isCutOff: boolean
  /** Whether polling has stopped automatically. */
  isResting: boolean
  pollNow: () => void
}

/**
 * Follows an order while the page is open and visible, until no further change is expected: the server reports changes,
 * and the page polls if it can't.
 */
export function useFollowed(shown: ShownOrder | undefined, onNews: (shown: ShownOrder) => void): Following {
  const [isCutOff, setCutOff] = useState(false)
  const [isResting, setResting] = useState(false)
  const polling = useRef<Polling>(undefined)
  const latest = useRef({ shown, onNews })
  useEffect(() => {
    latest.current = { shown, onNews }
  })
  const id = shown && isFollowed(shown) ? shown.order._id : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    let isHere = true
    const poll = async (isTold: boolean) => {
      try {
        const before = latest.current.shown
        const next = await loadNext(id, before, isTold)
        if (!isHere) return false
        setCutOff(false)
        latest.current.onNews(next)
        return isNewsOf(next, before)
      } catch {
        if (isHere) setCutOff(true)
        return false
      }
    }
    polling.current = startPolling({
      poll,
      onRest: setResting,
      listen: (listener) => followChanges(id, listener),
    })
    return () => {
      isHere = false
      polling.current?.stop()
    }
  }, [id])
  return { isCutOff, isResting, pollNow: () => polling.current?.now() }
}

/** Loads what may have changed. If the chain isn't monitored, that is only the order. */
async function loadNext(id: string, before: ShownOrder | undefined, isTold: boolean): Promise<ShownOrder> {
  if (before?.chain === null) {
    const [order, payment] = await loadOrder(id, callUnseen)
    return { order, payment, chain: null }
  }
  const { payment: chain } = await callUnseen(getChainPayment, { params: { id } })
  // A new state may also have changed the order, and a paid order can be completed at any time.
  const mayClose = isTold || chain?.state !== before?.chain?.state || chain?.state === 'paid'
  if (before && !mayClose) return { ...before, chain }
  const [order, payment] = await loadOrder(id, callUnseen)
  return { order, payment, chain }
}

const isNewsOf = ({ order, chain }: ShownOrder, before: ShownOrder | undefined): boolean =>
  isOtherThan(chain ?? null, before?.chain) || order.updatedAt !== before?.order.updatedAt

const isFollowed = ({ order, chain }: ShownOrder): boolean =>
  order.status === 'pending' || (chain != null && !isOver(chain, order))
