import { useEffect, useRef, useState } from 'react'
import { getChainPayment, type ChainPayment } from '#contract/money/chain-payments.ts'
import { getOrder, getOrderPayment, type Order, type OrderPayment } from '#contract/money/orders.ts'
import { call, callUnseen } from '../../kernel/call/call.ts'
import { isOtherThan, isOver } from '../chain/chain-figures.ts'
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

/** Polls a monitored payment while the page is open and visible, until no further change is expected. */
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
    const poll = async () => {
      try {
        const { payment: chain } = await callUnseen(getChainPayment, { params: { id } })
        const before = latest.current.shown
        const isNews = isOtherThan(chain, before?.chain)
        // A new status may have changed the order too, and a paid order can be completed at any time.
        const mayClose = chain?.state !== before?.chain?.state || chain?.state === 'paid'
        const [order, payment] =
          mayClose || !before ? await loadOrder(id, callUnseen) : [before.order, before.payment]
        if (!isHere) return false
        setCutOff(false)
        latest.current.onNews({ order, payment, chain })
        return isNews
      } catch {
        if (isHere) setCutOff(true)
        return false
      }
    }
    polling.current = startPolling(poll, setResting)
    return () => {
      isHere = false
      polling.current?.stop()
    }
  }, [id])
  return { isCutOff, isResting, pollNow: () => polling.current?.now() }
}

const isFollowed = ({ order, chain }: ShownOrder): boolean =>
  chain === undefined ? order.status === 'pending' : chain !== null && !isOver(chain, order)
