import type { OrderState } from '#contract/orders.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { TagColor } from '../ui/tag.tsx'

export const orderStates: Readonly<Record<OrderState, { words: PlainKey; colour: TagColor }>> = {
  pending: { words: 'orders.status.pending', colour: 'yellow' },
  completed: { words: 'orders.status.completed', colour: 'green' },
  cancelled: { words: 'orders.status.cancelled', colour: 'quiet' },
}
