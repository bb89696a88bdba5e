import type { api } from '#contract/api.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { auditOrder, insertOrderStep, recordDeliveryChange } from './order-history.queries.ts'
import { checkedAddresses } from './order-fields.ts'
import { withdraw } from './close-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { lockOrder, updateOrderRow } from './order.queries.ts'
import { presentOrder } from './present-order.ts'
import { canWithdraw } from './order.rules.ts'
import { isBeingWithdrawn } from './withdrawals/withdrawal.queries.ts'

/** Locks the caller's own order. Orders of other members return `not_found`, whether they exist or not. */
export async function lockOwnOrder(db: Tx, id: string, caller: MemberContext['caller']) {
  const order = await lockOrder(db, id)
  if (order?.member_id !== caller.memberId) throw new Refused('not_found')
  return order
}

/** Cancels the caller's order. An order that is already canceled stays so, regardless of who canceled it. */
export const cancelOrder: Handler<typeof api.cancelOrder> = ({ params }, context) =>
  transaction(context.db, async (db) => {
    const order = await lockOwnOrder(db, params.id, context.caller)
    if (order.status === 'cancelled') return presentOrder(order)
    if (!canWithdraw(order)) throw new Refused('conflict')
    return presentOrder(await withdraw(db, context, order))
  })

export const setTokenAddress: Handler<typeof api.setTokenAddress> = ({ params, body }, context) => {
  const { caller } = context
  return transaction(context.db, async (db) => {
    const { fabAddress = '' } = await checkedAddresses(db, body)
    const order = await lockOwnOrder(db, params.id, caller)
    if (order.fab_address === fabAddress) return presentOrder(order)
    if (order.fab_address !== '' || order.status === 'cancelled') throw new Refused('conflict')
    // A new address would have the tokens of a refunded order sent.
    if (await isBeingWithdrawn(db, order.id)) throw new Refused('conflict')
    // The address determines where the tokens go.
    caller.requireStepUp()
    const updated = await updateOrderRow(db, order.id, { fabAddress })
    await insertOrderStep(db, order.id, { kind: 'address_given', by: caller.memberId })
    await recordDeliveryChange(db, updated, ['fabAddress'])
    await notifyOwner(db, context, 'order-address-given', { order: updated })
    await auditOrder(db, caller.memberId, 'order-address-given', order.id, { fields: ['fabAddress'] })
    return presentOrder(updated)
  })
}
