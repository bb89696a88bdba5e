import { DAY } from '#contract/platform/durations.ts'
import type { PersonCause } from '#contract/money/import-payments.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { findKycStateOfMember } from '../../people/kyc/kyc.queries.ts'
import { isAtNewPrice } from '../sale/new-price.ts'
import { isLeftByPeople } from './order-change.queries.ts'
import { findLastStep } from './order-history.queries.ts'
import { findOwnerAndPriceState, type OrderRow } from './order.queries.ts'
import { currencyOfOrder } from './present-order.ts'
import { hasDismissedReturn } from './statements/returned-payment.queries.ts'

/**
 * How long after the deadline a payment announced in time may still complete its order, in milliseconds. A payer with
 * too low a fee can choose when it is confirmed, or cancel it; at the promised price, that would be a free option.
 */
const paidWithin = DAY

/**
 * Returns why only a person who looks at the order may complete it, although it is paid. The chain monitor and imports
 * of statements leave these orders alone. `paidAt` is null if the time isn't known.
 */
export async function findPersonCause(
  db: Tx,
  config: Pick<Config, 'rateChangePercent' | 'orderPayTime'>,
  order: OrderRow,
  paidAt: Date | null,
): Promise<PersonCause | null> {
  if (await isLeftByPeople(db, order.id)) return 'left_by_finance'
  // Otherwise, whoever dismisses the line would complete the order alone, and no one else would learn of the line.
  if (await hasDismissedReturn(db, order.id)) return 'left_by_finance'
  const { isClosed, isPriceWithdrawn } = await findOwnerAndPriceState(db, order.id)
  if (isClosed) return 'account_closed'
  if (!(await isIdentityApproved(db, order))) return 'identity_not_approved'
  if (isPriceWithdrawn) return 'price_withdrawn'
  if (await isPaidLate(db, config, order, paidAt)) return 'paid_late'
  return (await isPriceNew(db, config, order)) ? 'new_price' : null
}

async function isIdentityApproved(db: Tx, { member_id: memberId, rate }: OrderRow): Promise<boolean> {
  const state = await findKycStateOfMember(db, memberId)
  // Members need an approval to get a quoted rate. Orders that staff entered, or that came from another site, don't.
  return state === 'approved' || (state === 'none' && rate === null)
}

/** Compares with the first deadline: an officer who extends it must not give the member a free option on the price. */
async function isPaidLate(
  db: Tx,
  { orderPayTime }: Pick<Config, 'orderPayTime'>,
  { id, created_at: placedAt, pay_before: payBefore }: OrderRow,
  paidAt: Date | null,
): Promise<boolean> {
  if (payBefore === null) return false
  const payableAt = (await findLastStep(db, id, 'payable')) ?? placedAt
  const firstDeadline = Math.min(payBefore.getTime(), payableAt.getTime() + orderPayTime)
  return paidAt === null || paidAt.getTime() > firstDeadline + paidWithin
}

async function isPriceNew(
  db: Tx,
  config: Pick<Config, 'rateChangePercent'>,
  order: OrderRow,
): Promise<boolean> {
  const { pay_method: code, pay_chain: chain, rate, created_at: placedAt } = order
  if (rate === null) return false
  const { base_rate: baseRate, round_id: roundId } = order
  const method = { code, chain: chain ?? 'other', currency: currencyOfOrder(order), rate: baseRate ?? rate }
  return isAtNewPrice(db, config, { method, roundId, placedAt })
}
