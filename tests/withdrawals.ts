import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import { insertWithdrawal } from '#api/money/orders/withdrawals/withdrawal.queries.ts'
import type { TestApi } from './setup/start-api.ts'

/** Inserts a withdrawal that awaits finance, without the API. */
export const aWithdrawalRow = ({ services }: TestApi, orderId: string) =>
  insertWithdrawal(services.db, {
    orderId,
    state: 'requested',
    untilAt: new Date(Date.now() + DAY),
    refundBefore: new Date(Date.now() + 14 * DAY),
    refundAddress: '',
    note: '',
  })

/** Makes the order this old. */
export async function letOrderAge({ services }: TestApi, orderId: string, ms: number): Promise<void> {
  await services.db
    .updateTable('token_order')
    .set({ created_at: sql<Date>`now() - ${ms / 1000} * interval '1 second'` })
    .where('id', '=', orderId)
    .execute()
}

/** Makes the refund overdue by this much. */
export async function letRefundBeDue({ services }: TestApi, orderId: string, ms = 1000): Promise<void> {
  await services.db
    .updateTable('order_withdrawal')
    .set({ refund_before: sql<Date>`now() - ${ms / 1000} * interval '1 second'` })
    .where('order_id', '=', orderId)
    .execute()
}
