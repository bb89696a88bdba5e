import { useEffect } from 'react'
import { SECOND } from '#contract/durations.ts'
import type { Order } from '#contract/orders.ts'

const every = 15 * SECOND

/** Looks again once an open page's order is past its deadline: nobody must be shown where to pay any longer. */
export function useDeadline(order: Order | undefined, look: () => void): void {
  const isWaiting = order?.status === 'pending' && order.txId === '' && !order.disputed
  const payBefore = isWaiting ? order.payBefore : null
  useEffect(() => {
    if (payBefore === null) return undefined
    const timer = setInterval(() => {
      if (Date.now() >= Date.parse(payBefore)) look()
    }, every)
    return () => clearInterval(timer)
  }, [payBefore, look])
}
