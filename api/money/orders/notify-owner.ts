import { shownReference } from '../../platform/text/order-reference.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import en from '#content/messages/en/console-orders.json' with { type: 'json' }
import type { Language } from '#contract/platform/fields.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { formatDay, formatMoment } from '../../platform/text/format-time.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { findFirstLater } from '../deliveries/delivery.queries.ts'
import { orderLink, consoleOrderLink } from '../../platform/site-links.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import type { Services } from '../../platform/services.ts'
import type { OrderRow } from './order.queries.ts'
import { currencyOfOrder } from './present-order.ts'
import { describeChanges } from '../../platform/text/describe-changes.ts'
import { fill } from '../../platform/text/fill.ts'
import { readTranslations } from '../../platform/site-content/read-translations.ts'
import { hasRecordedPayment } from './order.rules.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import { consume } from '../../platform/rate-limits/rate-limit.ts'
import { markFinanceNotified } from './order-deadline.queries.ts'

export type OrderMail =
  | 'order-placed'
  | 'order-placed-waiting'
  | 'order-payable'
  | 'order-reminder'
  | 'order-unpaid'
  | 'order-unpaid-dropped'
  | 'order-unpaid-unconfirmed'
  | 'order-payment-dropped'
  | 'order-payment-dropped-unconfirmed'
  | 'order-withdrawn'
  | 'order-payment-reported'
  | 'order-transaction-added'
  | 'order-payment-seen'
  | 'order-payment-seen-late'
  | 'order-reported-late'
  | 'order-address-given'
  | 'order-corrected'
  | 'order-completed'
  | 'order-completed-unpaid'
  | 'order-cancelled'
  | 'order-cancelled-paid'
  | 'order-paid-cancelled'
  | 'order-paid-again'
  | 'order-disputed'
  | 'order-disputed-seen'
  | 'order-other-transaction'
  | 'order-deadline-extended'
  | 'order-deadline-extended-unconfirmed'

/** Returns the email for a placed order. It names no deadline if the order can't be paid yet. */
export const placedMail = (order: OrderRow): OrderMail =>
  order.pay_before !== null ? 'order-placed' : 'order-placed-waiting'

/** Returns the email for a completed order. It mentions no payment for a gift. */
export const completedMail = ({ paid_amount }: Pick<OrderRow, 'paid_amount'>): OrderMail =>
  parseDecimal(paid_amount ?? '0') > 0n ? 'order-completed' : 'order-completed-unpaid'

const unknown = '–'

/**
 * Emails the owner of an order in their language, unless their account was erased. A completed order without an address
 * is announced by asking for one. `before` is the order before a correction.
 */
export async function notifyOwner(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  kind: OrderMail,
  { order, reason = '', before = order }: { order: OrderRow; reason?: string; before?: OrderRow },
): Promise<void> {
  const owner = await getMemberById(db, order.member_id)
  if (owner.erased_at) return
  if (completedMails.has(kind) && order.fab_address === '')
    return sendMail(db, keys, owner, 'order-delivery-address-needed', {
      reference: shownReference(order.reference),
      quantity: order.fab_qty === null ? unknown : tokens(order.fab_qty),
      link: orderLink(config, order.id),
    })
  const first = completedMails.has(kind) ? await findFirstLater(db, order.id) : undefined
  await sendMail(db, keys, owner, kind, {
    reference: shownReference(order.reference),
    amount: order.amount === null ? unknown : `${shortDecimal(order.amount)} ${currencyOfOrder(order)}`,
    quantity: order.fab_qty === null ? unknown : tokens(order.fab_qty),
    transaction: order.tx_id || unknown,
    // The email leaves out this line if the order has no address.
    address: order.fab_address,
    deadline: order.pay_before === null ? unknown : formatMoment(order.pay_before, owner.language),
    reason,
    changes: describeCorrection(before, order, owner.language),
    // The email leaves out this line if all is due at once.
    first: first ? tokens(first.amount) : '',
    due: first ? formatDay(first.due_at, owner.language) : '',
    link: orderLink(config, order.id),
  })
}

const tokens = (quantity: string): string => `${shortDecimal(quantity)} ${brand.ticker}`

const completedMails: ReadonlySet<OrderMail> = new Set(['order-completed', 'order-completed-unpaid'])

/** Emails the owner that the token address changed, and from when tokens are sent to it. */
export async function notifyOwnerOfNewAddress(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
): Promise<void> {
  const owner = await getMemberById(db, order.member_id)
  await sendMail(db, keys, owner, 'order-delivery-address-changed', {
    reference: shownReference(order.reference),
    address: order.fab_address,
    time: formatMoment(order.address_usable_from ?? new Date(), owner.language),
    link: orderLink(config, order.id),
  })
}

/**
 * Maximum emails per hour about one member's orders, so that they can't flood a mailbox. Flags are still set for the
 * rest.
 */
const mailedPerHourMax = 5

type StaffMail = {
  kind: 'staff-order-late' | 'staff-order-disputed' | 'staff-order-disputed-seen' | 'staff-order-unexpected'
  /** Whether the chain shows the payment. */
  isSeen: boolean
}

/**
 * Emails the officers who may decide on the order that it awaits them. Reports cost nothing, so officers are emailed
 * about the first one of an order only. Money that the chain shows is announced each time.
 */
export async function notifyFinance(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
  { kind, isSeen }: StaffMail,
): Promise<void> {
  if (order.finance_told_at && !isSeen) return
  const limit = { key: `tell finance ${order.member_id}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return
  await markFinanceNotified(db, order.id)
  const values = { reference: shownReference(order.reference), link: consoleOrderLink(config, order.id) }
  for (const officer of await listFinanceOfficers(db, config))
    // Officers can't decide on their own orders.
    if (officer.id !== order.member_id) await sendMail(db, keys, officer, kind, values)
}

const words = readTranslations('messages', en, 'console-orders')

const decimalOrNull = (value: string | null): string | null => (value === null ? null : shortDecimal(value))

const said: readonly (readonly [
  label: keyof typeof en,
  of: (order: OrderRow, language: Language) => string | null,
])[] = [
  ['consoleOrders.payMethod', (order) => order.pay_method],
  ['consoleOrders.amount', (order) => decimalOrNull(order.amount)],
  ['consoleOrders.quantity', (order) => decimalOrNull(order.fab_qty)],
  ['consoleOrders.fabAddress', (order) => order.fab_address],
  ['consoleOrders.ethAddress', (order) => order.eth_address],
  ['consoleOrders.btcAddress', (order) => order.btc_address],
  ['consoleOrders.email', (order) => order.email],
  ['consoleOrders.txId', (order) => order.tx_id],
  ['consoleOrders.step.paymentRecorded', (order) => (hasRecordedPayment(order) ? '✓' : null)],
  ['consoleOrders.received', (order) => decimalOrNull(order.paid_amount)],
  ['consoleOrders.flag.disputed', (order) => (order.is_disputed ? '✓' : null)],
  ['consoleOrders.flag.reportedLate', (order) => (order.is_reported_late ? '✓' : null)],
  [
    'consoleOrders.deadline',
    (order, language) => order.pay_before && formatMoment(order.pay_before, language),
  ],
]

/** Describes a correction for the member: each field with its value before and after. Empty if nothing changed. */
const describeCorrection = (from: OrderRow, to: OrderRow, language: Language): string =>
  describeChanges(
    said
      .map(([label, of]) => ({
        name: fill(words(language)[label]),
        from: of(from, language),
        to: of(to, language),
      }))
      .filter((change) => change.from !== change.to),
    language,
  )
