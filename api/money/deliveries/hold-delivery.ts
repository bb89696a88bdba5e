import type { api } from '#contract/api.ts'
import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { createDeliveries, recordDelivery } from './create-deliveries.ts'
import { lockDeliveries } from './delivery-state.queries.ts'
import {
  findListedDelivery,
  hasDeliveries,
  isTakenBack,
  lockOrderToDeliver,
  readOrderToDeliver,
  writeHold,
  writeRelease,
  type ListedDelivery,
} from './delivery.queries.ts'
import { presentListedDelivery, presentOrderDeliveries } from './present-delivery.ts'

type Deciding = MemberContext['caller']

const auditOrderOf = (
  db: Tx,
  { memberId }: Deciding,
  action: 'delivery-held' | 'delivery-released' | 'deliveries-created',
  orderId: string,
  detail: Record<string, string>,
): Promise<void> =>
  recordAudit(db, { actorId: memberId, action, subjectKind: 'order', subjectId: orderId, detail })

/** Locks the order of another member. Nobody decides about tokens of their own. */
async function lockOtherMembersOrder(db: Tx, id: string, { memberId }: Deciding) {
  const order = await lockOrderToDeliver(db, id)
  if (!order) throw new Refused('not_found')
  if (order.member_id === memberId) throw new Refused('forbidden')
  return order
}

/** Locks a delivery of another member that is in no payout run, after its order. */
async function lockOpenDelivery(db: Tx, id: string, caller: Deciding): Promise<ListedDelivery> {
  const found = await findListedDelivery(db, id)
  if (!found) throw new Refused('not_found')
  await lockOtherMembersOrder(db, found.order_id, caller)
  await lockDeliveries(db, [id])
  const locked = (await findListedDelivery(db, id))!
  if (locked.cancelled_at !== null || locked.run_id !== null) throw new Refused('conflict')
  return locked
}

const readDelivery = async (db: Tx, id: string, { memberId }: Deciding): Promise<ConsoleDelivery> =>
  presentListedDelivery((await findListedDelivery(db, id))!, memberId)

export const holdDelivery: Handler<typeof api.holdDelivery> = ({ params, body }, { db, caller }) =>
  transaction(db, async (tx) => {
    const row = await lockOpenDelivery(tx, params.id, caller)
    if (row.held_at !== null) throw new Refused('conflict')
    caller.requireStepUp()
    const held = await writeHold(tx, row.id, caller.memberId, body.reason)
    await recordDelivery(tx, held, await readOrderToDeliver(tx, row.order_id), { state: 'held' })
    await auditOrderOf(tx, caller, 'delivery-held', row.order_id, {
      delivery: row.reference,
      reason: body.reason,
    })
    return readDelivery(tx, row.id, caller)
  })

/** Also lifts the hold of an erased account, whose address nobody can correct any more. */
export const releaseDelivery: Handler<typeof api.releaseDelivery> = ({ params, body }, { db, caller }) =>
  transaction(db, async (tx) => {
    const row = await lockOpenDelivery(tx, params.id, caller)
    if (row.hold !== 'staff' && row.hold !== 'account_erased') throw new Refused('conflict')
    caller.requireStepUp()
    const released = await writeRelease(tx, row.id, caller.memberId)
    await recordDelivery(tx, released, await readOrderToDeliver(tx, row.order_id), { state: 'released' })
    await auditOrderOf(tx, caller, 'delivery-released', row.order_id, {
      delivery: row.reference,
      reason: body.reason,
    })
    return readDelivery(tx, row.id, caller)
  })

export const createOrderDeliveries: Handler<typeof api.createOrderDeliveries> = (
  { params, body },
  { db, config, caller },
) =>
  transaction(db, async (tx) => {
    const order = await lockOtherMembersOrder(tx, params.id, caller)
    const isPossible =
      order.status === 'completed' &&
      order.fab_qty !== null &&
      !(await hasDeliveries(tx, order.id)) &&
      !(await isTakenBack(tx, order.id))
    if (!isPossible) throw new Refused('conflict')
    caller.requireStepUp()
    await createDeliveries(tx, order.id)
    await auditOrderOf(tx, caller, 'deliveries-created', order.id, { reason: body.reason })
    return presentOrderDeliveries(tx, config.token.explorer, order)
  })
