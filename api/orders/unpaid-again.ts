import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { isUnpaid } from './unpaid.ts'

/** Whose payment is none after all, or nobody proposes to complete any more, is not cancelled at the next look at the clock. */
export const renewIfUnpaidAgain = async (
  db: Tx,
  { orderPayTime }: Pick<Config, 'orderPayTime'>,
  stored: OrderRow,
  changed: OrderRow,
): Promise<OrderRow> =>
  isUnpaid(changed) && !isUnpaid(stored) ? renewDeadline(db, changed.id, orderPayTime) : changed
