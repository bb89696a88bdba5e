import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { findOrder } from '../orders/order.queries.ts'
import { shownAddressOf } from '../orders/read-orders.ts'
import { Refused } from '../../platform/refused.ts'
import { presentEvidence, readEvidence } from './read-evidence.ts'

/**
 * Returns the payment status of the caller's own order. Orders of other members return `not_found`, whether they exist
 * or not, even to staff, who have their own endpoint.
 */
export const getChainPayment: Handler<typeof api.getChainPayment> = async (
  { params },
  { db, config, caller },
) => {
  const order = (await findOrder(db, params.id)).ofOwner(caller)
  if (!order) throw new Refused('not_found')
  const evidence = await readEvidence(db, config, order)
  if (!evidence) return { payment: null }
  return { payment: presentEvidence(order, evidence, shownAddressOf(order, evidence)) }
}

export const getOrderChainPayment: Handler<typeof api.getOrderChainPayment> = async (
  { params },
  { db, config, caller },
) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const evidence = await readEvidence(db, config, order)
  return { payment: evidence ? presentEvidence(order, evidence, order.receiving_address) : null }
}
