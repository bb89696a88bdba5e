import * as z from 'zod/mini'
import { endpoint, member } from '../platform/endpoint.ts'
import { eventStreamType } from '../platform/event-stream.ts'

/** The name of the event that reports a changed order. Its data is the order's ID. */
export const orderEvent = 'order'

/**
 * An event says only which order has changed; the client reads it again. The stream ends after some minutes, when the
 * session ends, and when the server stops. Clients then open another one, and poll until it is open.
 */
export const followOrders = endpoint('GET', 'icotx/changes', {
  about:
    'Follow the caller’s own orders as server-sent events. Each event contains only the ID of an order whose status or payment has changed.',
  access: member,
  output: z.unknown(),
  returnsBytes: true,
  alternateType: eventStreamType,
  errors: ['rate_limited'],
})
