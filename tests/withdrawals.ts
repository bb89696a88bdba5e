import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { insertWithdrawal } from '#api/orders/withdrawals/withdrawal.queries.ts'
import type { TestApi } from './setup/start-api.ts'

/** A withdrawal that waits for finance, written without the call. */
export const aWithdrawalRow = ({ services }: TestApi, orderId: string) =>
  insertWithdrawal(services.db, {
    orderId,
    state: 'requested',
    untilAt: new Date(Date.now() + DAY),
    refundBefore: new Date(Date.now() + 14 * DAY),
    refundAddress: '',
    note: '',
  })

/** As if the order had been placed so long ago. */
export async function letOrderAge({ services }: TestApi, orderId: string, ms: number): Promise<void> {
  await services.db
    .updateTable('token_order')
    .set({ created_at: sql<Date>`now() - ${ms / 1000} * interval '1 second'` })
    .where('id', '=', orderId)
    .execute()
}

/** As if the time to refund had been over so long. */
export async function letRefundBeDue({ services }: TestApi, orderId: string, ms = 1000): Promise<void> {
  await services.db
    .updateTable('order_withdrawal')
    .set({ refund_before: sql<Date>`now() - ${ms / 1000} * interval '1 second'` })
    .where('order_id', '=', orderId)
    .execute()
}
