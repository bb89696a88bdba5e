import type { api } from '#contract/api.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { countApprovers } from '../../people/members/approver.queries.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { reopenDeliveries } from '../deliveries/create-deliveries.ts'
import { notifyAboutCancel } from './notify-about-payouts.ts'
import {
  cancelRun,
  clearCancelProposal,
  lockItems,
  proposeCancel,
  releaseItems,
  shareLockOfPayouts,
  type LockedItem,
  type RunRow,
} from './payout.queries.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import {
  isStillOfficer,
  lockOtherMembersRun,
  lockParts,
  requireNoHold,
  requireUnseen,
  secondPerson,
} from './require-payout.ts'

export const cancelPayout: Handler<typeof api.cancelPayout> = async ({ params, body }, context) => {
  const { db, caller } = context
  await transaction(db, async (tx) => {
    await shareLockOfPayouts(tx)
    await lockParts(tx, params.id)
    const run = await lockOtherMembersRun(tx, params.id, caller)
    if (run.cancelled_at) throw new Refused('conflict')
    const items = (await lockItems(tx, run.id)).filter(({ is_live }) => is_live)
    const { reason, deliveryIds } = body
    if (run.first_exported_at) return decideCancel(tx, context, { run, items }, { reason, deliveryIds })
    if (deliveryIds) throw new Refused('conflict')
    // A restored database doesn't know whether the run was exported later.
    await requireNoHold(tx)
    caller.requireStepUp()
    await cancelWhole(tx, context, { run, items }, reason)
  })
  return presentRun(db, context, params.id)
}

type Cancelling = { run: RunRow; items: readonly LockedItem[] }

async function release(db: Tx, items: readonly LockedItem[]): Promise<void> {
  await releaseItems(
    db,
    items.map(({ id }) => id),
  )
  await reopenDeliveries(
    db,
    items.map(({ delivery_id }) => delivery_id),
  )
}

async function cancelWhole(db: Tx, { caller }: MemberContext, { run, items }: Cancelling, reason: string) {
  await release(db, items)
  await cancelRun(db, run.id, caller.memberId, reason)
  await auditRun(db, { by: caller.memberId, action: 'payout-cancelled' }, run, { items: items.length })
  await recordRunChange(db, run, 'cancelled')
}

const isSame = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null ? a === b : a.toSorted().join() === b.toSorted().join()

/** An exported run may have been paid, so two officers state that nothing was sent. */
async function decideCancel(
  db: Tx,
  context: MemberContext,
  { run, items }: Cancelling,
  { reason, deliveryIds }: { reason: string; deliveryIds: readonly string[] | undefined },
): Promise<void> {
  const { config, caller } = context
  const chosen = items.filter(({ delivery_id }) => deliveryIds?.includes(delivery_id) ?? true)
  const isWhole = chosen.length === items.length
  if (deliveryIds && chosen.length !== deliveryIds.length) throw new Refused('conflict')
  if (chosen.some(({ tx_id }) => tx_id !== '')) throw new Refused('conflict')
  const since = run.cancel_proposed_at ?? run.first_exported_at
  await requireUnseen(db, config.token, run, { items: chosen, since })
  const ids = isWhole ? null : chosen.map(({ delivery_id }) => delivery_id)
  const isProposed =
    isSame(run.cancel_delivery_ids, ids) &&
    (await isStillOfficer(db, config, run.cancel_proposed_by, run.cancel_proposed_at))
  if (isProposed && run.cancel_proposed_by === caller.memberId) throw secondPerson('reason')
  // Nobody could confirm a proposal.
  if (!isProposed && (await countApprovers(db, config, 'finance', caller.memberId)) === 0)
    throw secondPerson('reason')
  caller.requireStepUp()
  await recordFourEyes(db, context)
  if (!isProposed) {
    await proposeCancel(db, run.id, { by: caller.memberId, reason, deliveryIds: ids })
    await auditRun(db, { by: caller.memberId, action: 'payout-cancel-proposed' }, run, {
      items: chosen.length,
    })
    return notifyAboutCancel(db, context, run, { by: caller.memberId, reason })
  }
  if (isWhole) return cancelWhole(db, context, { run, items }, run.cancel_reason)
  await release(db, chosen)
  await clearCancelProposal(db, run.id)
  await auditRun(db, { by: caller.memberId, action: 'payout-cancelled' }, run, { items: chosen.length })
  const rest = items.filter((item) => !chosen.includes(item))
  if (rest.every(({ confirmed_at }) => confirmed_at)) await recordRunChange(db, run, 'done')
}
