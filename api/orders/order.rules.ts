import type { OrderState } from '#contract/orders.ts'

const transitions: Record<OrderState, readonly OrderState[]> = {
  pending: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** Whether an order may go from one status to the other. The same status again is accepted and changes nothing. */
export const canBecome = (from: OrderState, to: OrderState): boolean =>
  from === to || transitions[from].includes(to)
