import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { lockDeliveries } from '../deliveries/delivery-state.queries.ts'
import { listOrdersOfDeliveries } from '../deliveries/delivery.queries.ts'
import { explorerOf } from '../deliveries/present-delivery.ts'
import { recordDeliveries } from '../deliveries/record-deliveries.ts'
import { lockOrders } from '../orders/order.queries.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import {
  insertItems,
  insertRun,
  listFrozenItems,
  lockItems,
  lockPayouts,
  lockRun,
  lockTransactions,
  markExported,
  setHash,
  touchRun,
} from './payout.queries.ts'
import { person } from './person.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { hashOf, textOfRun } from './run-hash.rules.ts'
import {
  dismissTransfer,
  findTransfer,
  findRunOf,
  findUnexplained,
  listDismissed,
  listUnexplained,
  proveItem,
  type Transfer,
} from './transfer.queries.ts'

type Listing = Pick<MemberContext, 'config' | 'content'>

const present = async (db: Tx, of: Listing) => ({
  transfers: (await listUnexplained(db)).map((row) => ({
    id: row.id,
    txId: row.tx_id,
    address: row.address,
    amount: shortDecimal(row.amount),
    height: row.height,
    seenAt: row.first_seen_at.toISOString(),
    problem: row.problem,
    deliveries: row.deliveries.map((delivery) => ({
      deliveryId: delivery.id,
      reference: delivery.reference,
      orderId: delivery.order_id,
      orderReference: shownReference(delivery.order_reference),
      memberEmail: delivery.email ?? '',
      tranche: delivery.tranche,
      dueAt: new Date(delivery.due_at).toISOString(),
    })),
  })),
  dismissed: (await listDismissed(db)).map((row) => ({
    id: row.id,
    txId: row.tx_id,
    address: row.address,
    amount: shortDecimal(row.amount),
    dismissedAt: row.at.toISOString(),
    dismissedBy: person(row.by_member_id, row.by_name),
    reason: row.reason,
  })),
  explorer: explorerOf(of),
})

export const listPayoutTransfers: Handler<typeof api.listPayoutTransfers> = (_, context) =>
  present(context.db, context)

/**
 * Locks as everything does: payouts, the order, its delivery, and its run before transactions. Then reads again what the
 * transfer may have paid.
 */
export const assignPayoutTransfer: Handler<typeof api.assignPayoutTransfer> = async (
  { params, body },
  context,
) => {
  const { db, caller } = context
  const { deliveryId, reason } = body
  await transaction(db, async (tx) => {
    await lockPayouts(tx)
    const orders = await listOrdersOfDeliveries(tx, [deliveryId])
    if (orders.length > 0) await lockOrders(tx, orders)
    await lockDeliveries(tx, [deliveryId])
    const runId = await findRunOf(tx, deliveryId)
    if (runId !== undefined) await lockRun(tx, runId)
    await lockTransactions(tx)
    const transfer = await findTransfer(tx, params.id)
    if (!transfer) throw new Refused('conflict')
    const found = await findUnexplained(tx, params.id)
    const delivery = found?.deliveries.find(({ id }) => id === deliveryId)
    if (!delivery) throw new Refused('conflict')
    if (delivery.member_id === caller.memberId) throw new Refused('forbidden')
    caller.requireStepUp()
    await assign(tx, context, { deliveryId, runId, transfer, reason })
  })
  return present(db, context)
}

type Assigned = { deliveryId: string; runId: string | undefined; transfer: Transfer; reason: string }

async function assign(
  db: Tx,
  context: MemberContext,
  { deliveryId, runId: known, transfer, reason }: Assigned,
): Promise<void> {
  const by = context.caller.memberId
  const runId = known ?? (await insertPaidRun(db, context, deliveryId, transfer))
  const run = await lockRun(db, runId)
  const item = (await lockItems(db, runId)).find(({ delivery_id }) => delivery_id === deliveryId)
  if (!run || !item) throw new Refused('conflict')
  await proveItem(db, item.id, transfer, { by, reason })
  await touchRun(db, runId)
  await auditRun(db, { by, action: 'payout-transfer-assigned' }, run, { transaction: transfer.tx_id })
  await recordDeliveries(db, [deliveryId], 'sent')
}

/** A run of one delivery that was sent before it was frozen. It counts as exported, and has no files. */
async function insertPaidRun(
  db: Tx,
  { config, caller }: MemberContext,
  deliveryId: string,
  { address, amount }: Transfer,
): Promise<string> {
  const { network, contract, decimals } = config.token
  const values = { network, contract, decimals, items: 1, total: amount }
  const { id, number } = await insertRun(db, { ...values, frozenBy: caller.memberId, needsTwo: false })
  await insertItems(db, id, [{ deliveryId, position: 1, address, amount }])
  const items = await listFrozenItems(db, id)
  const hash = hashOf(textOfRun({ number, network, contract, decimals, items }))
  await setHash(db, id, hash)
  await markExported(db, id)
  await recordRunChange(db, { id, number, items: 1, total: amount, hash }, 'frozen')
  return id
}

export const dismissPayoutTransfer: Handler<typeof api.dismissPayoutTransfer> = async (
  { params, body },
  context,
) => {
  const { db, caller } = context
  await transaction(db, async (tx) => {
    await lockPayouts(tx)
    await lockTransactions(tx)
    const found = await findUnexplained(tx, params.id)
    if (!found) throw new Refused('conflict')
    if (found.deliveries.some(({ member_id }) => member_id === caller.memberId))
      throw new Refused('forbidden')
    caller.requireStepUp()
    await dismissTransfer(tx, params.id, caller.memberId, body.reason)
    await recordAudit(tx, {
      actorId: caller.memberId,
      action: 'payout-transfer-dismissed',
      subjectKind: 'payout',
      subjectId: null,
      detail: { transaction: found.tx_id },
    })
  })
  return present(db, context)
}
