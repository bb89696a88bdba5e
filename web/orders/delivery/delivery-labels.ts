import type { Delivery, DeliveryState } from '#contract/money/deliveries.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../kernel/ui/tag.tsx'

export const deliveryColors: Readonly<Record<DeliveryState, TagColor>> = {
  scheduled: 'quiet',
  due: 'yellow',
  on_hold: 'red',
  in_run: 'verdigris',
  sent: 'verdigris',
  confirmed: 'green',
  cancelled: 'quiet',
}

const open: readonly DeliveryState[] = ['scheduled', 'due', 'on_hold']

/** Why an open delivery waits. Later on, the reason no longer matters. */
export const holdKey = ({ state, hold }: Pick<Delivery, 'state' | 'hold'>): PlainKey | null =>
  hold !== null && open.includes(state) ? `deliveries.hold.${hold}` : null

/** Whether it is in no payout run yet. */
export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean => open.includes(state)
