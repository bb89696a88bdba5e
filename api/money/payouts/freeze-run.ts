import { api } from '#contract/api.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { transaction, isRefusedByIndex, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { idempotent } from '../../platform/idempotency/idempotent.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { countApprovers } from '../../people/members/approver.queries.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { lockDeliveries } from '../deliveries/delivery-state.queries.ts'
import { lockOrders } from '../orders/order.queries.ts'
import { listCandidatesById, listDueCandidates, listOrdersOfDeliveries } from './candidate.queries.ts'
import { readHold } from './holds.ts'
import { notifyApproversOfRun } from './notify-about-payouts.ts'
import { insertItems, insertRun, listFrozenItems, lockFreezing, setHash } from './payout.queries.ts'
import { planRun, runNeedsTwo, totalOf, type Payable } from './plan-run.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { requireNoHold } from './require-payout.ts'
import { hashOf, textOfRun } from './run-hash.rules.ts'

export const previewPayout: Handler<typeof api.previewPayout> = async ({ body }, { db, config, caller }) => {
  const { deliveryIds, filters } = body
  if ((deliveryIds === undefined) === (filters === undefined)) throw refusedField('deliveryIds', 'required')
  const candidates = deliveryIds
    ? await listCandidatesById(db, deliveryIds)
    : await listDueCandidates(db, filters ?? {})
  const known = new Set(candidates.map(({ id }) => id))
  const unknown = (deliveryIds ?? []).filter((id) => !known.has(id))
  const planning = { config, callerId: caller.memberId }
  const { payable, leftOut } = await planRun(db, candidates, planning)
  const total = totalOf(payable)
  return {
    deliveryIds: payable.map(({ id }) => id),
    count: payable.length,
    addresses: new Set(payable.map(({ payTo }) => payTo)).size,
    total,
    network: config.token.network,
    needsTwo: payable.length > 0 && (await runNeedsTwo(db, planning, total)),
    approvers: await countApprovers(db, config, 'finance', caller.memberId),
    warned: payable
      .filter(({ warnings }) => warnings.length > 0)
      .map((row) => ({
        deliveryId: row.id,
        reference: row.reference,
        orderReference: row.order_reference,
        address: row.payTo,
        amount: totalOf([row]),
        warnings: row.warnings,
      })),
    leftOut: [
      ...leftOut,
      ...unknown.map((deliveryId) => ({ deliveryId, reference: '', obstacle: 'unknown' as const })),
    ],
    hold: await readHold(db),
  }
}

export const freezePayout: Handler<typeof api.freezePayout> = async ({ body }, context) => {
  const { db, caller, request } = context
  caller.requireStepUp()
  const call = api.freezePayout.path
  try {
    const { id } = await transaction(db, (tx) =>
      idempotent(tx, { memberId: caller.memberId, key: request.idempotencyKey, call, body }, () =>
        freeze(tx, context, body),
      ),
    )
    return presentRun(db, context, id)
  } catch (error) {
    if (isRefusedByIndex(error, 'payout_item_live')) throw new Refused('conflict')
    throw error
  }
}

/** Locks orders before deliveries, as every other act on them does, and then reads them again. */
async function freeze(
  db: Tx,
  context: MemberContext,
  { deliveryIds, total }: { deliveryIds: readonly string[]; total: string },
): Promise<{ id: string }> {
  const { config, caller } = context
  await lockFreezing(db)
  await requireNoHold(db)
  const orderIds = await listOrdersOfDeliveries(db, deliveryIds)
  if (orderIds.length > 0) await lockOrders(db, orderIds)
  await lockDeliveries(db, deliveryIds)
  const planning = { config, callerId: caller.memberId }
  const { payable } = await planRun(db, await listCandidatesById(db, deliveryIds), planning)
  const ids = new Set(payable.map(({ id }) => id))
  const missing = deliveryIds.flatMap((id, index) => (ids.has(id) ? [] : [index]))
  if (missing.length > 0)
    throw new Refused('conflict', {
      fields: missing.map((index) => ({ path: `deliveryIds.${index}`, code: 'unsettled' })),
    })
  if (parseDecimal(totalOf(payable)) !== parseDecimal(total)) throw refusedField('total', 'mismatch')
  await recordFourEyes(db, context)
  return insertFrozen(db, context, payable)
}

async function insertFrozen(
  db: Tx,
  context: MemberContext,
  payable: readonly Payable[],
): Promise<{ id: string }> {
  const { config, caller } = context
  const { network, contract, decimals } = config.token
  const total = totalOf(payable)
  const needsTwo = await runNeedsTwo(db, { config, callerId: caller.memberId }, total)
  const values = { network, contract, decimals, items: payable.length, total }
  const { id, number } = await insertRun(db, { ...values, frozenBy: caller.memberId, needsTwo })
  await insertItems(
    db,
    id,
    payable.map((row, index) => ({
      deliveryId: row.id,
      position: index + 1,
      address: row.payTo,
      amount: row.amount,
    })),
  )
  const items = await listFrozenItems(db, id)
  const hash = hashOf(textOfRun({ number, network, contract, decimals, items }))
  await setHash(db, id, hash)
  const run = { id, number, items: payable.length, total, hash }
  await auditRun(db, { by: caller.memberId, action: 'payout-frozen' }, run, { items: run.items, needsTwo })
  await recordRunChange(db, run, 'frozen')
  if (needsTwo) await notifyApproversOfRun(db, context, run, caller.memberId)
  return { id }
}
