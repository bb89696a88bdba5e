import type { api } from '#contract/api.ts'
import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { createDeliveries } from '../../deliveries/create-deliveries.ts'
import { lockDeliveries } from '../../deliveries/delivery-state.queries.ts'
import {
  findListedDelivery,
  hasDeliveries,
  isOrderTakenBack,
  writeHold,
  writeRelease,
  type ListedDelivery,
} from '../../deliveries/delivery.queries.ts'
import { presentListedDelivery, presentOrderDeliveries } from '../../deliveries/present-delivery.ts'
import { recordDeliveries } from '../../deliveries/record-deliveries.ts'
import { auditOrder, insertOrderStep } from '../order-history.queries.ts'
import { lockOtherMembersOrder, recordingRefusedDecision } from '../require-other-members-order.ts'

export const holdDelivery: Handler<typeof api.holdDelivery> = ({ params, body }, context) =>
  decide(context, params.id, async (db, row) => {
    if (row.held_at !== null) throw new Refused('conflict')
    context.caller.requireStepUp()
    await writeHold(db, [row.id], body.reason)
    await record(db, context, row, { change: 'held', reason: body.reason })
  })

/** Also lifts the hold of an erased account, whose address nobody can correct any more. */
export const releaseDelivery: Handler<typeof api.releaseDelivery> = ({ params, body }, context) =>
  decide(context, params.id, async (db, row) => {
    if (row.hold !== 'staff' && row.hold !== 'account_erased') throw new Refused('conflict')
    context.caller.requireStepUp()
    await writeRelease(db, row.id)
    await record(db, context, row, { change: 'released', reason: body.reason })
  })

/** Decides about a delivery of another member that is in no payout run. Its order is locked first, as everywhere. */
async function decide(
  context: MemberContext,
  id: string,
  write: (db: Tx, row: ListedDelivery) => Promise<void>,
): Promise<ConsoleDelivery> {
  const { caller } = context
  const found = await findListedDelivery(context.db, id)
  if (!found) throw new Refused('not_found')
  return recordingRefusedDecision(context, found.order_id, () =>
    transaction(context.db, async (db) => {
      await lockOtherMembersOrder(db, found.order_id, caller, {})
      await lockDeliveries(db, [id])
      const locked = (await findListedDelivery(db, id))!
      if (locked.cancelled_at !== null || locked.is_in_run) throw new Refused('conflict')
      await write(db, locked)
      return presentListedDelivery((await findListedDelivery(db, id))!, caller.memberId)
    }),
  )
}

const written = {
  held: { kind: 'delivery_held', action: 'delivery-held' },
  released: { kind: 'delivery_released', action: 'delivery-released' },
} as const

/** The reason is kept in the order's history, which ends with the order, and not in the audit log. */
async function record(
  db: Tx,
  { caller }: MemberContext,
  row: ListedDelivery,
  { change, reason }: { change: keyof typeof written; reason: string },
): Promise<void> {
  const { kind, action } = written[change]
  await recordDeliveries(db, [row.id], change)
  await insertOrderStep(db, row.order_id, { kind, by: caller.memberId, reason })
  await auditOrder(db, caller.memberId, action, row.order_id, { delivery: row.reference })
}

export const createOrderDeliveries: Handler<typeof api.createOrderDeliveries> = (
  { params, body },
  context,
) => {
  const { caller } = context
  return recordingRefusedDecision(context, params.id, () =>
    transaction(context.db, async (db) => {
      const order = await lockOtherMembersOrder(db, params.id, caller, {})
      const isPossible = order.status === 'completed' && order.fab_qty !== null
      if (!isPossible || (await hasDeliveries(db, order.id)) || (await isOrderTakenBack(db, order.id)))
        throw new Refused('conflict')
      caller.requireStepUp()
      await createDeliveries(db, order.id)
      const { reason } = body
      await insertOrderStep(db, order.id, { kind: 'deliveries_created', by: caller.memberId, reason })
      await auditOrder(db, caller.memberId, 'deliveries-created', order.id)
      return presentOrderDeliveries(db, context, order)
    }),
  )
}
