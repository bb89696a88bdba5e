import type { ZodMiniType } from 'zod/mini'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
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
  kind?: 'day' | 'moment' | 'lines'
  initial?: string
  /** Says beside it what is due, and in which coin. */
  saysDue?: true
}

/** What finance can do with an order. `run` gets the order as it was last shown. */
export type OrderAction = {
  name: string
  label: PlainKey
  title: KeyTaking<'reference'>
  text: PlainKey
  /** What speaks against it. */
  warning?: PlainKey | false
  confirm: PlainKey
  done: PlainKey
  kind?: 'primary' | 'danger'
  dismiss?: PlainKey
  fields: readonly ActionField[]
  run: (values: Values, now: ConsoleOrderDetail, isShared: boolean) => Promise<Order>
}

export const fields = updateOrder.body.shape
export const reason = (label: PlainKey): ActionField => ({
  name: 'reason',
  label,
  schema: fields.reason,
  kind: 'lines',
})
export const change = (
  now: ConsoleOrderDetail,
  body: Partial<Parameters<typeof call<typeof updateOrder>>[1]['body']>,
) => call(updateOrder, { body: { ...body, _id: now.id, updatedAt: now.order.updatedAt } })
