import type { api } from '#contract/api.ts'
import type { PayoutLineProblem } from '#contract/money/payouts.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { notifyOwnerOfDelivery } from './notify-about-payouts.ts'
import { confirmItems, lockItems, setTransaction, touchRun, type LockedItem } from './payout.queries.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { lockOtherMembersRun } from './require-payout.ts'
import { normalizeTransaction } from './run-files.rules.ts'

type Line = { reference: string; txId: string }

const referenceOf = (text: string): string => text.trim().toUpperCase()

function planLine(
  { reference, txId }: Line,
  items: ReadonlyMap<string, LockedItem>,
  network: string,
): { item: LockedItem; txId: string } | { problem: PayoutLineProblem } {
  const item = items.get(referenceOf(reference))
  if (!item) return { problem: 'unknown' }
  if (!item.is_live) return { problem: 'released' }
  const transactionId = normalizeTransaction(network, txId)
  if (transactionId === undefined) return { problem: 'tx_id' }
  if (item.confirmed_at && item.tx_id !== transactionId) return { problem: 'confirmed' }
  return { item, txId: transactionId }
}

/** Allowed during a hold: what was paid must be recorded in any case. */
export const recordPayoutTransactions: Handler<typeof api.recordPayoutTransactions> = (
  { params, body },
  { db, caller },
) =>
  transaction(db, async (tx) => {
    const run = await lockOtherMembersRun(tx, params.id, caller)
    if (!run.first_exported_at || run.cancelled_at) throw new Refused('conflict')
    const items = new Map((await lockItems(tx, run.id)).map((item) => [item.reference, item]))
    const seen = new Set<string>()
    const lines = []
    let changed = 0
    for (const line of body.lines) {
      const reference = referenceOf(line.reference)
      const plan = seen.has(reference) ? { problem: 'repeated' as const } : planLine(line, items, run.network)
      if ('item' in plan) {
        seen.add(reference)
        if (plan.item.tx_id !== plan.txId) {
          await setTransaction(tx, plan.item.id, plan.txId, caller.memberId)
          changed += 1
        }
      }
      const problem = 'problem' in plan ? plan.problem : null
      lines.push({ ...line, isDone: problem === null, problem })
    }
    if (changed > 0) {
      await touchRun(tx, run.id)
      await auditRun(tx, { by: caller.memberId, action: 'payout-transactions-recorded' }, run, {
        count: changed,
      })
    }
    return { lines }
  })

export const confirmPayoutItems: Handler<typeof api.confirmPayoutItems> = async (
  { params, body },
  context,
) => {
  const { db, caller } = context
  await transaction(db, async (tx) => {
    const run = await lockOtherMembersRun(tx, params.id, caller)
    const items = await lockItems(tx, run.id)
    const chosen = items.filter(({ delivery_id }) => body.deliveryIds.includes(delivery_id))
    const isReady = (item: LockedItem) =>
      item.is_live && item.sent_at !== null && item.confirmed_at === null && item.target === null
    if (run.cancelled_at || chosen.length !== body.deliveryIds.length || !chosen.every(isReady))
      throw new Refused('conflict')
    caller.requireStepUp()
    const ids = chosen.map(({ id }) => id)
    await confirmItems(tx, ids, caller.memberId)
    await touchRun(tx, run.id)
    await auditRun(tx, { by: caller.memberId, action: 'payout-confirmed' }, run, { count: ids.length })
    const isDone = items.every((item) => !item.is_live || item.confirmed_at || ids.includes(item.id))
    if (isDone) await recordRunChange(tx, run, 'done')
    for (const item of chosen) await notifyOwnerOfDelivery(tx, context, item)
  })
  return presentRun(db, context, params.id)
}
