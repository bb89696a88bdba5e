import { parseDecimal, shortDecimal, writeDecimal } from '#contract/decimal.ts'
import { reportWaitMax, type ConsoleOrder, type OrderFlag } from '#contract/console-orders.ts'
import type { OrderRow } from '../order.queries.ts'
import { isPayable } from '../payable.ts'
import { currencyOfOrder, shownReference } from '../present-order.ts'

export const decimalOrNull = (value: string | null): string | null =>
  value === null ? null : shortDecimal(value)

type Flagged = OrderRow & {
  is_ready: boolean
  is_gone: boolean
  is_unexpected: boolean
  is_price_withdrawn: boolean
  is_address_withdrawn: boolean
  is_returned: boolean
  is_new_price: boolean
  is_program_limit: boolean
}

/** Returns the flags of an order. Officers don't see a proposed completion of their own order (decision 19). */
export const flagsOf = (row: Flagged, readerId: string, now = Date.now()): OrderFlag[] => [
  ...(row.completion_proposed_at && row.member_id !== readerId ? (['second_person'] as const) : []),
  ...(row.is_disputed ? (['disputed'] as const) : []),
  ...(row.is_reported_late ? (['reported_late'] as const) : []),
  ...(row.is_tx_shared ? (['shares_transaction'] as const) : []),
  ...(row.status === 'pending' && row.tx_id !== '' ? (['payment_reported'] as const) : []),
  ...(row.status === 'pending' && row.reported_at && now - row.reported_at.getTime() >= reportWaitMax
    ? (['waits_long'] as const)
    : []),
  ...(row.status === 'pending' && row.tx_id === '' && row.pay_before === null && !isPayable(row)
    ? (['not_payable'] as const)
    : []),
  ...(row.is_ready ? (['ready_to_complete'] as const) : []),
  ...(row.is_gone ? (['payment_gone'] as const) : []),
  ...(row.is_unexpected ? (['payment_unexpected'] as const) : []),
  ...(row.is_price_withdrawn ? (['price_withdrawn'] as const) : []),
  ...(row.is_address_withdrawn ? (['address_withdrawn'] as const) : []),
  ...(row.is_returned ? (['payment_returned'] as const) : []),
  ...(row.is_new_price ? (['new_price'] as const) : []),
  ...(row.is_program_limit ? (['program_limit'] as const) : []),
]

/** Amount received minus amount due. */
export const differenceOf = (paid: string | null, due: string | null): string | null =>
  paid === null || due === null ? null : writeDecimal(parseDecimal(paid) - parseDecimal(due))

export const presentConsoleOrder = (
  row: Flagged & { member_email: string },
  readerId: string,
): ConsoleOrder => ({
  id: row.id,
  reference: shownReference(row.reference),
  memberId: row.member_id,
  memberEmail: row.member_email,
  status: row.status,
  flags: flagsOf(row, readerId),
  payMethod: row.pay_method,
  currency: currencyOfOrder(row),
  amount: decimalOrNull(row.amount),
  quantity: decimalOrNull(row.fab_qty),
  txId: row.tx_id,
  payBefore: row.pay_before?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
