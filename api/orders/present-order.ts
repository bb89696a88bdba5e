import type { Order } from '#contract/orders.ts'
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
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
