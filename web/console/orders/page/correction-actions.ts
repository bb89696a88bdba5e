import type { ConsoleOrderDetail, OrderFieldChange } from '#contract/console-orders.ts'
import {
  isBeyondTolerance,
  multiplyDown,
  parseDecimal,
  tokenPlaces,
  writeDecimal,
} from '#contract/decimal.ts'
import type { Order } from '#contract/orders.ts'
import { typedFrom } from '../../../orders/placing/typed-amount.ts'
import { change, fields, reason, textsOf, type OrderAction, type Values } from './action.ts'
import { decimalOf } from './payment-actions.ts'

const corrected = [
  ['payMethod', 'consoleOrders.payMethod'],
  ['amount', 'consoleOrders.amount'],
  ['fabQty', 'consoleOrders.quantity'],
  ['fabAddress', 'consoleOrders.fabAddress'],
  ['ethAddress', 'consoleOrders.ethAddress'],
  ['btcAddress', 'consoleOrders.btcAddress'],
  ['email', 'consoleOrders.email'],
] as const
type Corrected = (typeof corrected)[number][0]
/** Fields of a completed order that require the approval of two finance members. */
const approvedByTwo: readonly string[] = ['fabQty', 'fabAddress', 'ethAddress', 'btcAddress']
/** Fields that also require it while four-eyes approval is on. */
const moneyByTwo: readonly string[] = ['amount', 'payMethod']

const isReceipt = (name: string): boolean => name === 'paidAmount' || name === 'paidAt'
const isDecimal = (name: string): boolean => name === 'amount' || name === 'fabQty'

const textOf = (order: Order, name: Corrected): string =>
  (name === 'amount' ? order.exactAmount : name === 'fabQty' ? order.exactFabQty : order[name]) ?? ''

const changesIn = (order: Order, values: Values): OrderFieldChange[] =>
  corrected.flatMap(([field]) => {
    const before = textOf(order, field)
    const typed = values[field]?.trim() ?? before
    const after = isDecimal(field) ? (decimalOf(typed) ?? typed) : typed
    const isSame =
      isDecimal(field) && before !== '' && decimalOf(typed) !== undefined
        ? parseDecimal(before) === parseDecimal(after)
        : before === after
    return isSame ? [] : [{ field, before: before || null, after: after || null }]
  })

/** Returns the quantity that the entered amount buys, if the entered quantity differs. */
function quantityAtRate({ order, tolerancePercent }: ConsoleOrderDetail, values: Values): string | undefined {
  const [amount, quantity] = [decimalOf(values['amount']), decimalOf(values['fabQty'])]
  const isChanged = changesIn(order, values).some(({ field }) => isDecimal(field))
  const isOtherMethod = (values['payMethod'] ?? order.payMethod).trim() !== order.payMethod
  if (order.rate === null || !amount || !quantity || !isChanged || isOtherMethod) return undefined
  const bought = writeDecimal(multiplyDown(parseDecimal(amount), parseDecimal(order.rate), tokenPlaces))
  return isBeyondTolerance(tolerancePercent, quantity, bought) ? bought : undefined
}

/** Returns by how much the changes raise the quantity above what the caps of the sale leave for the order. */
function excessOf(
  { order, capRoom }: ConsoleOrderDetail,
  changes: readonly OrderFieldChange[],
): string | undefined {
  const after = decimalOf(changes.find(({ field }) => field === 'fabQty')?.after ?? '')
  if (capRoom === null || after === undefined) return undefined
  const [quantity, room] = [parseDecimal(after), parseDecimal(capRoom)]
  const isRaised = quantity > parseDecimal(order.exactFabQty ?? '0')
  return isRaised && quantity > room ? writeDecimal(quantity - room) : undefined
}

/** Whether the change needs no reason: it fills in data that an order without a quote lacks. */
const isExplained = (order: Order, values: Values): boolean =>
  order.status !== 'pending' ||
  changesIn(order, values).some(
    ({ field, before }) => before !== null || field.endsWith('Address') || field === 'email',
  )

const bodyOf = (changes: readonly OrderFieldChange[]): object =>
  Object.fromEntries(
    changes.map(({ field, after }) => [field, after ?? (isDecimal(field) || isReceipt(field) ? null : '')]),
  )

/** As with payments, only edited fields are sent. */
export function correct(detail: ConsoleOrderDetail): OrderAction {
  const { order, twoPersonsFrom } = detail
  const byTwo = twoPersonsFrom === null ? approvedByTwo : [...approvedByTwo, ...moneyByTwo]
  const isCompleted = order.status === 'completed'
  const isProposed = (values: Values) =>
    isCompleted && changesIn(order, values).some(({ field }) => byTwo.includes(field))
  return {
    name: 'correct',
    ...textsOf('consoleOrders.correct'),
    text: isCompleted ? 'consoleOrders.correct.byTwo' : 'consoleOrders.correct.text',
    confirm: (values) =>
      isProposed(values) ? 'consoleOrders.correct.proposeConfirm' : 'consoleOrders.correct.confirm',
    done: (values) => (isProposed(values) ? 'consoleOrders.correct.proposed' : 'consoleOrders.correct.done'),
    fields: [
      ...corrected.map(([name, label]) => ({
        name,
        label,
        schema: fields[name],
        initial: isDecimal(name) ? typedFrom(textOf(order, name)) : textOf(order, name),
        ...(isDecimal(name) && { kind: 'decimal' as const }),
      })),
      reason('consoleOrders.reason.member', (values) => (isExplained(order, values) ? 'change' : 'none')),
    ],
    changes: (values) => changesIn(order, values),
    quantityAtRate: (values) => quantityAtRate(detail, values),
    excess: (values) => excessOf(detail, changesIn(order, values)),
    run: (values, now, { isQuantityMeant, isExcessMeant }) =>
      change(now, {
        ...bodyOf(changesIn(order, values)),
        ...(isQuantityMeant && { confirmsQuantity: true }),
        ...(isExcessMeant && { exceedsCap: true }),
        reason: values['reason'] ?? '',
      }),
  }
}

/** The second approver sends the values of the proposal. */
export function approveCorrection(detail: ConsoleOrderDetail): OrderAction {
  const changes = detail.proposal?.correction ?? []
  return {
    name: 'approve',
    label: 'consoleOrders.approve',
    title: 'consoleOrders.approve.title',
    text: 'consoleOrders.approve.text',
    confirm: 'consoleOrders.approve.confirm',
    done: 'consoleOrders.correct.done',
    kind: 'primary',
    showsProposal: true,
    fields: [reason('consoleOrders.reason.memberOptional')],
    changes: () => changes,
    excess: () => excessOf(detail, changes),
    run: ({ reason: why = '' }, now, { isExcessMeant }) =>
      change(now, { ...bodyOf(changes), ...(isExcessMeant && { exceedsCap: true }), reason: why }),
  }
}
