import { collectHandlers, type Module } from '../../platform/module.ts'
import * as followOrders from './follow-orders.ts'
import { startOrderStreams } from './order-streams.ts'

/** Reports to open pages which of a member's orders have changed. It stores nothing. */
export const orderChanges = {
  calls: collectHandlers(followOrders),
  workers: [startOrderStreams],
} satisfies Module
