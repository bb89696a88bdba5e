import type { ZodMiniType } from 'zod/mini'
import type { ConsoleOrderDetail, OrderFieldChange } from '#contract/money/console-orders.ts'
import { updateOrder } from '#contract/money/order-desk.ts'
import type { Order } from '#contract/money/orders.ts'
import { call, type Call } from '../../../kernel/call/call.ts'
import type { KeyTaking, PlainKey } from '../../../kernel/i18n/message-key.ts'

export type Values = Readonly<Record<string, string>>

export type ActionField = {
  name: string
  label: PlainKey
  help?: PlainKey
  /** Defines the limits of the input. */
  schema: ZodMiniType
  /** `code`: a transaction ID or an address, which is longer than a line. */
  kind?: 'day' | 'moment' | 'lines' | 'decimal' | 'code'
  initial?: string
  /** Whether the amount due and its coin are shown next to the field. */
  showsDue?: true
  isRequired?: true
  /** The latest selectable day, as `2036-05-01`. */
  max?: string
  /** Returns whether the current entries require a reason, and why. */
  need?: (values: Values) => ReasonNeed
}

/** A reason is required for all of these except `none` and `colleagues`. */
export type ReasonNeed =
  | 'none'
  | 'colleagues'
  | 'change'
  | 'difference'
  | 'unknown'
  | 'statement'
  | 'gone'
  | 'gift'
  | 'paid'

/** Confirmations in addition to the entries. */
export type Confirmed = {
  isShared: boolean
  isQuantityMeant: boolean
  isExcessMeant: boolean
  isRight: boolean
}

/** An action that finance can take on an order. `run` receives the latest state of the order. */
export type OrderAction = {
  name: string
  label: PlainKey
  title: KeyTaking<'reference'>
  text: PlainKey
  /** Whether to show why a second approval is needed. */
  showsCause?: boolean
  /** Whether to show who made the proposal, and their reason. */
  showsProposal?: boolean
  /** A warning that is shown before the action. */
  warning?: PlainKey | false
  confirm: PlainKey | ((values: Values) => PlainKey)
  done: PlainKey | ((values: Values, now: Order) => PlainKey)
  kind?: 'primary' | 'danger'
  dismiss?: PlainKey
  fields: readonly ActionField[]
  /** Whether to show the amounts due and received, the difference, the transaction, and the destination. */
  showsPayment?: true
  /** Returns the changes that the entries make, which are shown and confirmed before anything is sent. */
  changes?: (values: Values) => readonly OrderFieldChange[]
  /** Returns the quantity that the amount buys at the order's rate, if the entered quantity differs. */
  quantityAtRate?: (values: Values) => string | undefined
  /** Returns by how many tokens the entered quantity exceeds the caps of the sale, if it does. */
  excess?: (values: Values) => string | undefined
  /** Whether it is sent only after the time to undo it. */
  isUndoable?: true
  run: (values: Values, now: ConsoleOrderDetail, confirmed: Confirmed, send: Call) => Promise<Order>
}

/** Keys of buttons. The keys of the action's other texts begin with them. */
type ActionWords = {
  [Key in PlainKey]: `${Key}.title` extends KeyTaking<'reference'>
    ? `${Key}.${'text' | 'confirm' | 'done'}` extends PlainKey
      ? Key
      : never
    : never
}[PlainKey]

export const textsOf = (words: ActionWords) =>
  ({
    label: words,
    title: `${words}.title`,
    text: `${words}.text`,
    confirm: `${words}.confirm`,
    done: `${words}.done`,
  }) as const

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
  send: Call = call,
) => send(updateOrder, { body: { ...body, _id: now.id, updatedAt: now.order.updatedAt } })
