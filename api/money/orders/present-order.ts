import { shortDecimal } from '#contract/platform/decimal.ts'
import { currencyOf, type Order } from '#contract/money/orders.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import type { OrderRow } from './order.queries.ts'

export const presentOrder = (row: OrderRow): Order => ({
  _id: row.id,
  memberId: row.member_id,
  email: row.email,
  ethAddress: row.eth_address,
  btcAddress: row.btc_address,
  fabAddress: row.fab_address,
  payMethod: row.pay_method,
  amount: row.amount === null ? null : Number(row.amount),
  fabQty: row.fab_qty === null ? null : Number(row.fab_qty),
  status: row.status,
  exactAmount: row.amount === null ? null : shortDecimal(row.amount),
  exactFabQty: row.fab_qty === null ? null : shortDecimal(row.fab_qty),
  rate: row.rate === null ? null : shortDecimal(row.rate),
  reference: shownReference(row.reference),
  txId: row.tx_id,
  currency: currencyOfOrder(row),
  payBefore: row.pay_before?.toISOString() ?? null,
  reportedLate: row.is_reported_late,
  disputed: row.is_disputed,
  sharesTransaction: row.is_tx_shared,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const currencyOfOrder = ({
  currency,
  pay_method,
}: Pick<OrderRow, 'currency' | 'pay_method'>): string => currency ?? currencyOf(pay_method)
