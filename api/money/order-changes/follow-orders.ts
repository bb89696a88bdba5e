import type { api } from '#contract/api.ts'
import { eventStreamType } from '#contract/platform/event-stream.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { openOrderStream } from './order-streams.ts'

/** Follows the caller's own orders, whatever permissions the caller has. */
export const followOrders: Handler<typeof api.followOrders> = async (_, { db, caller }) => ({
  contentType: eventStreamType,
  stream: await openOrderStream({ db }, caller),
})
