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
  /** Limits of the input. */
  schema: ZodMiniType
  kind?: 'day' | 'moment' | 'lines' | 'decimal'
  initial?: string
  /** Shows the amount due and its coin next to the field. */
  saysDue?: true
  isRequired?: true
  /** The latest selectable day, as `2036-05-01`. */
  max?: string
  /** Whether the current entries require a reason, and why. */
  need?: (values: Values) => ReasonNeed
}

/** All but `none` and `colleagues` are required. */
export type ReasonNeed = 'none' | 'colleagues' | 'change' | 'difference' | 'statement' | 'gift' | 'paid'

/** Confirmations in addition to the entries. */
export type Confirmed = { isShared: boolean; isQuantityMeant: boolean }

/** An action that finance can take on an order. `run` receives the order as last shown. */
export type OrderAction = {
  name: string
  label: PlainKey
  title: KeyTaking<'reference'>
  text: PlainKey
  /** Says why a second person is needed. */
  saysCause?: boolean
  /** Shows who made the proposal, and the reason given. */
  showsProposal?: boolean
  /** A warning against the action. */
  warning?: PlainKey | false
  confirm: PlainKey | ((values: Values) => PlainKey)
  done: PlainKey | ((values: Values, now: Order) => PlainKey)
  kind?: 'primary' | 'danger'
  dismiss?: PlainKey
  fields: readonly ActionField[]
  /** Shows due, received, difference, transaction, and destination. */
  showsPayment?: true
  /** Changes made by the entries, shown and confirmed before anything is sent. */
  changes?: (values: Values) => readonly OrderFieldChange[]
  /** The quantity that the amount buys at the order's rate, if the entered one differs. */
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
