import { shownReference } from '../../../platform/text/order-reference.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { reportWaitMax, type ConsoleOrder, type OrderFlag } from '#contract/money/console-orders.ts'
import type { OrderRow } from '../order.queries.ts'
import { isPayable, isReportOpen } from '../order.rules.ts'
import { currencyOfOrder } from '../present-order.ts'
import { presentAssignee } from '../../../people/members/present-assignee.ts'

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
export function flagsOf(row: Flagged, readerId: string, now = Date.now()): OrderFlag[] {
  const isPending = row.status === 'pending'
  const flags: Record<OrderFlag, boolean> = {
    second_person: row.completion_proposed_at !== null && row.member_id !== readerId,
    disputed: row.is_disputed,
    reported_late: row.is_reported_late,
    shares_transaction: row.is_tx_shared,
    payment_reported: isPending && row.tx_id !== '',
    waits_long:
      isReportOpen(row) && row.reported_at !== null && now - row.reported_at.getTime() >= reportWaitMax,
    not_payable: isPending && row.tx_id === '' && row.pay_before === null && !isPayable(row),
    ready_to_complete: row.is_ready,
    payment_gone: row.is_gone,
    payment_unexpected: row.is_unexpected,
    price_withdrawn: row.is_price_withdrawn,
    address_withdrawn: row.is_address_withdrawn,
    payment_returned: row.is_returned,
    new_price: row.is_new_price,
    program_limit: row.is_program_limit,
  }
  return (Object.keys(flags) as OrderFlag[]).filter((flag) => flags[flag])
}

/** Amount received minus amount due. */
export const differenceOf = (paid: string | null, due: string | null): string | null =>
  paid === null || due === null ? null : writeDecimal(parseDecimal(paid) - parseDecimal(due))

export const presentConsoleOrder = (
  row: Flagged & { member_email: string; assignee_name: string | null },
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
  assignee: row.member_id === readerId ? null : presentAssignee(row),
})
