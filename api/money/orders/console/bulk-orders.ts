import { api } from '#contract/api.ts'
import type { MemberContext } from '../../../platform/http/handler.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { extendOrderDeadline } from '../extend-deadline.ts'
import { hasMoney } from '../order-change.queries.ts'
import { findOrder } from '../order.queries.ts'
import { cancellingNeedOf } from '../require-allowed.ts'
import { updateOrder } from '../update-order.ts'

export const cancelOrders = serveBulk(api.cancelOrders, api.updateOrder, {
  handle: updateOrder,
  // Without a version, an order that nobody has seen could be canceled.
  input: ({ id, version = '' }, { reason }) => ({
    body: { _id: id, updatedAt: version, status: 'cancelled', reason },
  }),
  basis: readCancellingBasis,
})

/**
 * What canceling an order depends on. Money that arrives on chain doesn't change the order's version, and a payment that
 * arrives after the preview must not be canceled as an unpaid order.
 */
async function readCancellingBasis({ db, config, caller }: MemberContext, id: string): Promise<string> {
  const order = (await findOrder(db, id)).openFor(caller)
  const need = await cancellingNeedOf(db, config, order)
  if (need !== 'reason') return need
  return (await hasMoney(db, order)) ? 'paid' : 'reported'
}

export const extendOrderDeadlines = serveBulk(api.extendOrderDeadlines, api.extendOrderDeadline, {
  handle: extendOrderDeadline,
  input: ({ id, version = '' }, { payBefore, reason }) => ({
    params: { id },
    body: { payBefore, reason, updatedAt: version },
  }),
})
