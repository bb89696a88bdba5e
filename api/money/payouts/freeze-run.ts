import { api } from '#contract/api.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import type { UnpayableDelivery } from '#contract/money/payouts.ts'
import { transaction, isRefusedByIndex, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { idempotent } from '../../platform/idempotency/idempotent.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { countApprovers } from '../../people/members/approver.queries.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { postpone } from '../deliveries/create-deliveries.ts'
import { lockDeliveries } from '../deliveries/delivery-state.queries.ts'
import { listOrdersOfDeliveries } from '../deliveries/delivery.queries.ts'
import { recordDeliveries } from '../deliveries/record-deliveries.ts'
import { lockOrders } from '../orders/order.queries.ts'
import { listCandidatesById, listDueCandidates, listWarnings } from './candidate.queries.ts'
import { readHold } from './holds.ts'
import { notifyApproversOfRun } from './notify-about-payouts.ts'
import { insertItems, insertRun, listFrozenItems, lockPayouts, setHash } from './payout.queries.ts'
import {
  planRun,
  refusedDeliveries,
  runNeedsTwo,
  totalOf,
  type Lengthened,
  type Payable,
} from './plan-run.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { requireNoHold, requireRightToken } from './require-payout.ts'
import { hashOf, textOfRun } from './run-hash.rules.ts'
import { watchAddressesOf } from './watch-transfers.ts'

export const previewPayout: Handler<typeof api.previewPayout> = async ({ body }, { db, config, caller }) => {
  const { deliveryIds, filters } = body
  if ((deliveryIds === undefined) === (filters === undefined)) throw refusedField('deliveryIds', 'required')
  const candidates = deliveryIds
    ? await listCandidatesById(db, deliveryIds)
    : await listDueCandidates(db, filters ?? {})
  const planning = { config, callerId: caller.memberId }
  const { payable, leftOut } = await planRun(db, candidates, planning)
  const total = totalOf(payable)
  const warnings = await listWarnings(
    db,
    payable.map(({ id }) => id),
  )
  return {
    deliveryIds: payable.map(({ id }) => id),
    count: payable.length,
    addresses: new Set(payable.map(({ payTo }) => payTo)).size,
    total,
    network: config.token.network,
    needsTwo: payable.length > 0 && (await runNeedsTwo(db, planning, total)),
    approvers: await countApprovers(db, config, 'finance', caller.memberId),
    warned: payable.flatMap((row) =>
      warnings.has(row.id)
        ? [
            {
              deliveryId: row.id,
              reference: row.reference,
              orderReference: shownReference(row.order_reference),
              address: row.payTo,
              amount: totalOf([row]),
              warnings: warnings.get(row.id)!,
            },
          ]
        : [],
    ),
    leftOut: [...leftOut, ...listUnknown(deliveryIds ?? [], candidates)],
    hold: await readHold(db),
  }
}

const listUnknown = (ids: readonly string[], candidates: readonly { id: string }[]): UnpayableDelivery[] => {
  const known = new Set(candidates.map(({ id }) => id))
  return ids
    .filter((id) => !known.has(id))
    .map((deliveryId) => ({ deliveryId, reference: '', obstacle: 'unknown', hold: null }))
}

export const freezePayout: Handler<typeof api.freezePayout> = async ({ body }, context) => {
  const { db, caller, request } = context
  caller.requireStepUp()
  const call = api.freezePayout.path
  const lengthened: Lengthened[] = []
  try {
    const { id } = await transaction(db, (tx) =>
      idempotent(tx, { memberId: caller.memberId, key: request.idempotencyKey, call, body }, () =>
        freeze(tx, context, { ...body, lengthened }),
      ),
    )
    return presentRun(db, context, id)
  } catch (error) {
    if (isRefusedByIndex(error, 'payout_item_live')) throw new Refused('conflict')
    if (lengthened.length > 0) await transaction(db, (tx) => postponeAll(tx, lengthened))
    throw error
  }
}

/** The settings lengthened these withdrawal periods after the deliveries were created. */
async function postponeAll(db: Tx, lengthened: readonly Lengthened[]): Promise<void> {
  await lockOrders(db, [...new Set(lengthened.map(({ orderId }) => orderId))])
  await lockDeliveries(
    db,
    lengthened.map(({ deliveryId }) => deliveryId),
  )
  for (const { deliveryId, until } of lengthened) await postpone(db, deliveryId, until)
}

type Wanted = {
  deliveryIds: readonly string[]
  total: string
  /** Receives the deliveries to postpone if nothing can be frozen. */
  lengthened: Lengthened[]
}

/** Locks orders before deliveries, as every other act on them does, and then reads them again. */
async function freeze(
  db: Tx,
  context: MemberContext,
  { deliveryIds, total, lengthened }: Wanted,
): Promise<{ id: string }> {
  const { config, caller } = context
  await lockPayouts(db)
  await requireNoHold(db)
  await requireRightToken(db, config.token)
  const orderIds = await listOrdersOfDeliveries(db, deliveryIds)
  if (orderIds.length > 0) await lockOrders(db, orderIds)
  await lockDeliveries(db, deliveryIds)
  const planning = { config, callerId: caller.memberId }
  const candidates = await listCandidatesById(db, deliveryIds)
  const { payable, leftOut, lengthened: found } = await planRun(db, candidates, planning)
  lengthened.splice(0, Infinity, ...found)
  const refused = [...leftOut, ...listUnknown(deliveryIds, candidates)]
  if (refused.length > 0)
    throw refusedDeliveries(
      refused,
      refused.map(({ deliveryId }) => `deliveryIds.${deliveryIds.indexOf(deliveryId)}`),
    )
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
  await watchAddressesOf(
    db,
    config.token,
    payable.map(({ payTo }) => payTo),
  )
  const items = await listFrozenItems(db, id)
  const hash = hashOf(textOfRun({ number, network, contract, decimals, items }))
  await setHash(db, id, hash)
  const run = { id, number, items: payable.length, total, hash }
  await auditRun(db, { by: caller.memberId, action: 'payout-frozen' }, run, { items: run.items, needsTwo })
  await recordRunChange(db, run, 'frozen')
  await recordDeliveries(
    db,
    payable.map((row) => row.id),
    'in_run',
  )
  if (needsTwo) await notifyApproversOfRun(db, context, run, caller.memberId)
  return { id }
}
