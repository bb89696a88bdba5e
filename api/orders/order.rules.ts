import type { OrderState } from '#contract/orders.ts'

const steps: Record<OrderState, readonly OrderState[]> = {
  pending: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** Whether an order may go from one status to the other. Saying again what it is changes nothing and is fine. */
export const canBecome = (from: OrderState, to: OrderState): boolean =>
  from === to || steps[from].includes(to)
