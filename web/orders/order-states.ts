import type { OrderState } from '#contract/money/orders.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import type { TagColor } from '../kernel/ui/tag.tsx'

export const orderStates: Readonly<Record<OrderState, { words: PlainKey; colour: TagColor }>> = {
  pending: { words: 'orders.status.pending', colour: 'yellow' },
  completed: { words: 'orders.status.completed', colour: 'green' },
  cancelled: { words: 'orders.status.cancelled', colour: 'quiet' },
}
