import { useEffect, useRef, useState } from 'react'
import { getChainPayment, type ChainPayment } from '#contract/chain-payments.ts'
import { getOrder, getOrderPayment, type Order, type OrderPayment } from '#contract/orders.ts'
import { call, callUnseen } from '../../call/call.ts'
import { isOtherThan, isOver } from '../chain/chain-figures.ts'
import { keepLooking, type Looking } from '../chain/keep-looking.ts'

/** An order with how it is paid. `chain` is null where nobody watches it, and undefined while that is not known. */
export type ShownOrder = { order: Order; payment: OrderPayment; chain: ChainPayment | null | undefined }

const loadOrder = (id: string, by: typeof call = call): Promise<[Order, OrderPayment]> =>
  Promise.all([by(getOrder, { params: { id } }), by(getOrderPayment, { params: { id } })])

/** The page stands without what the chain says. */
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
  /** The page cannot reach the server. */
  isCutOff: boolean
  /** It has stopped by itself. */
  isResting: boolean
  lookNow: () => void
}

/** Looks for news of a watched payment while the page is open and seen, until nothing more is to be expected. */
export function useFollowed(shown: ShownOrder | undefined, onNews: (shown: ShownOrder) => void): Following {
  const [isCutOff, setCutOff] = useState(false)
  const [isResting, setResting] = useState(false)
  const looking = useRef<Looking>(undefined)
  const latest = useRef({ shown, onNews })
  useEffect(() => {
    latest.current = { shown, onNews }
  })
  const id = shown && isFollowed(shown) ? shown.order._id : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    let isHere = true
    const look = async () => {
      try {
        const { payment: chain } = await callUnseen(getChainPayment, { params: { id } })
        const before = latest.current.shown
        const isNews = isOtherThan(chain, before?.chain)
        // With another state the order may have changed as well, and once it is paid it may be completed at any time.
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
    looking.current = keepLooking(look, setResting)
    return () => {
      isHere = false
      looking.current?.stop()
    }
  }, [id])
  return { isCutOff, isResting, lookNow: () => looking.current?.now() }
}

const isFollowed = ({ order, chain }: ShownOrder): boolean =>
  chain === undefined ? order.status === 'pending' : chain !== null && !isOver(chain, order)
