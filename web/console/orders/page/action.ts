import type { ZodMiniType } from 'zod/mini'
import type { ConsoleOrderDetail, OrderFieldChange } from '#contract/console-orders.ts'
import { updateOrder } from '#contract/order-desk.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '../../../call/call.ts'
import type { KeyTaking, PlainKey } from '../../../i18n/message-key.ts'

export type Values = Readonly<Record<string, string>>

export type ActionField = {
  name: string
  label: PlainKey
  /** Bounds what is typed. */
  schema: ZodMiniType
  kind?: 'day' | 'moment' | 'lines' | 'decimal'
  initial?: string
  /** Says beside it what is due, and in which coin. */
  saysDue?: true
  isRequired?: true
  /** The last day that can be chosen, as `2036-05-01`. */
  max?: string
  /** Whether the reason is required as the entries stand, and why. */
  need?: (values: Values) => ReasonNeed
}

/** `change`, `difference` and `statement` are required. */
export type ReasonNeed = 'none' | 'colleagues' | 'change' | 'difference' | 'statement'

/** What is confirmed beside the entries. */
export type Confirmed = { isShared: boolean; isQuantityMeant: boolean }

/** What finance can do with an order. `run` gets the order as it was last shown. */
export type OrderAction = {
  name: string
  label: PlainKey
  title: KeyTaking<'reference'>
  text: PlainKey
  /** What speaks against it. */
  warning?: PlainKey | false
  confirm: PlainKey
  done: PlainKey | ((values: Values) => PlainKey)
  kind?: 'primary' | 'danger'
  dismiss?: PlainKey
  fields: readonly ActionField[]
  /** Shows due, received, difference, transaction and destination. */
  showsPayment?: true
  /** What the entries change. It is shown, and confirmed before anything is sent. */
  changes?: (values: Values) => readonly OrderFieldChange[]
  /** The quantity that the amount buys at the order's rate, where the entered one differs from it. */
  quantityAtRate?: (values: Values) => string | undefined
  run: (values: Values, now: ConsoleOrderDetail, confirmed: Confirmed) => Promise<Order>
}

export const fields = updateOrder.body.shape
export const reason = (label: PlainKey, need?: ActionField['need']): ActionField => ({
  name: 'reason',
  label,
  schema: fields.reason,
  kind: 'lines',
  ...(need && { need }),
})
export const change = (
  now: ConsoleOrderDetail,
  body: Partial<Parameters<typeof call<typeof updateOrder>>[1]['body']>,
) => call(updateOrder, { body: { ...body, _id: now.id, updatedAt: now.order.updatedAt } })
