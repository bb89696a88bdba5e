import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { canChangeAddress } from '../deliveries/delivery.queries.ts'
import { auditOrder, insertOrderStep, recordDeliveryChange } from './order-history.queries.ts'
import { checkedAddresses, describeOrderChanges } from './order-fields.ts'
import { withdraw } from './close-order.ts'
import { notifyOwner, notifyOwnerOfNewAddress } from './notify-owner.ts'
import { getOrderRow, holdNewAddress, lockOrder, updateOrderRow, type OrderRow } from './order.queries.ts'
import { presentOrder } from './present-order.ts'
import { canWithdraw } from './order.rules.ts'

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

/** Changes of the token address that a member can make in a day, so that no one floods a mailbox. */
const addressesPerDayMax = 5

/**
 * Sets or replaces the token address. Someone with a stolen session could redirect tokens, so nothing is sent to a
 * replaced address for some time, and the owner is told.
 */
export const setTokenAddress: Handler<typeof api.setTokenAddress> = ({ params, body }, context) => {
  const { caller } = context
  return transaction(context.db, async (db) => {
    const { fabAddress = '' } = await checkedAddresses(db, body)
    const order = await lockOwnOrder(db, params.id, caller)
    if (order.fab_address === fabAddress) return presentOrder(order)
    if (!(await canChangeAddress(db, order))) throw new Refused('conflict')
    // The address determines where the tokens go.
    caller.requireStepUp()
    await requireWithinLimits(db, context.keys, [
      { key: `token address ${caller.memberId}`, max: addressesPerDayMax, window: DAY },
    ])
    await writeAddress(db, context, order, fabAddress)
    return presentOrder(await getOrderRow(db, order.id))
  })
}

async function writeAddress(
  db: Tx,
  context: MemberContext,
  order: OrderRow,
  fabAddress: string,
): Promise<void> {
  const isReplaced = order.fab_address !== ''
  const by = context.caller.memberId
  await updateOrderRow(db, order.id, { fabAddress })
  const updated = await (isReplaced
    ? holdNewAddress(db, order.id, context.config.deliveryCoolingTime)
    : getOrderRow(db, order.id))
  await insertOrderStep(db, order.id, {
    kind: isReplaced ? 'address_changed' : 'address_given',
    by,
    changes: isReplaced ? describeOrderChanges(order, { fabAddress }) : [],
  })
  await recordDeliveryChange(db, updated, ['fabAddress'])
  if (isReplaced) await notifyOwnerOfNewAddress(db, context, updated)
  else await notifyOwner(db, context, 'order-address-given', { order: updated })
  const action = isReplaced ? 'order-address-changed' : 'order-address-given'
  await auditOrder(db, by, action, order.id, { fields: ['fabAddress'] })
}
