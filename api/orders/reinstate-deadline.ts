import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { isUnpaid } from './unpaid.ts'

/**
 * Renews the deadline of an order that is unpaid again because its payment turned out not to be one or its proposal
 * ended. Otherwise the deadline worker would cancel it at once.
 */
export const reinstateDeadline = async (
  db: Tx,
  { orderPayTime }: Pick<Config, 'orderPayTime'>,
  stored: OrderRow,
  changed: OrderRow,
): Promise<OrderRow> =>
  isUnpaid(changed) && !isUnpaid(stored) ? renewDeadline(db, changed.id, orderPayTime) : changed
