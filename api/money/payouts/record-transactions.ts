import type { api } from '#contract/api.ts'
import type { PayoutLineProblem, RecordedTransactions } from '#contract/money/payouts.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { recordDeliveries } from '../deliveries/record-deliveries.ts'
import { notifyOwnersOfDeliveries } from './notify-about-payouts.ts'
import {
  confirmItems,
  listTransactionsOfOthers,
  lockItems,
  lockTransactions,
  setTransaction,
  touchRun,
  type LockedItem,
  type RunRow,
} from './payout.queries.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { isWatched, lockOtherMembersRun } from './require-payout.ts'
import { normalizeTransaction } from './run-files.rules.ts'
import { listProvedItems } from './transfer.queries.ts'

type Line = { reference: string; txId: string }
type Recording = {
  items: ReadonlyMap<string, LockedItem>
  /** Items that a transfer on the network proves. */
  proved: ReadonlySet<string>
  network: string
}

const referenceOf = (text: string): string => text.trim().toUpperCase()

function planLine(
  { reference, txId }: Line,
  { items, proved, network }: Recording,
): { item: LockedItem; txId: string } | { problem: PayoutLineProblem } {
  const item = items.get(referenceOf(reference))
  if (!item) return { problem: 'unknown' }
  if (!item.is_live) return { problem: 'released' }
  const transactionId = normalizeTransaction(network, txId)
  if (transactionId === undefined) return { problem: 'tx_id' }
  const isOther = item.tx_id !== transactionId
  if (item.confirmed_at && isOther) return { problem: 'confirmed' }
  if (proved.has(item.id) && isOther) return { problem: 'proved' }
  return { item, txId: transactionId }
}

type Recorded = RecordedTransactions['lines'][number]

/** Allowed during a hold: what was paid must be recorded in any case. */
export const recordPayoutTransactions: Handler<typeof api.recordPayoutTransactions> = (
  { params, body },
  { db, caller },
) =>
  transaction(db, async (tx) => {
    const run = await lockOtherMembersRun(tx, params.id, caller)
    if (!run.first_exported_at || run.cancelled_at) throw new Refused('conflict')
    await lockTransactions(tx)
    const items = new Map((await lockItems(tx, run.id)).map((item) => [item.reference, item]))
    const recording = { items, proved: await listProvedItems(tx, run.id), network: run.network }
    const plans = body.lines.map((line) => ({ line, plan: planLine(line, recording) }))
    const given = plans.flatMap(({ plan }) => ('item' in plan ? [plan.txId] : []))
    const ofOthers = await listTransactionsOfOthers(tx, run.id, [...new Set(given)])
    const seen = new Set<LockedItem>()
    const changed = new Map<string, LockedItem[]>()
    const lines = plans.map(({ line, plan }): Recorded => {
      const problem = problemOf(plan, { seen, ofOthers })
      if (problem !== null || !('item' in plan)) return { ...line, isDone: false, problem }
      seen.add(plan.item)
      if (plan.item.tx_id !== plan.txId)
        changed.set(plan.txId, [...(changed.get(plan.txId) ?? []), plan.item])
      return { ...line, isDone: true, problem: null }
    })
    if (changed.size > 0) await writeTransactions(tx, run, changed, caller.memberId)
    return { lines }
  })

function problemOf(
  plan: ReturnType<typeof planLine>,
  { seen, ofOthers }: { seen: ReadonlySet<LockedItem>; ofOthers: ReadonlySet<string> },
): PayoutLineProblem | null {
  if ('problem' in plan) return plan.problem
  if (seen.has(plan.item)) return 'repeated'
  return ofOthers.has(plan.txId) ? 'other_run' : null
}

async function writeTransactions(
  db: Tx,
  run: RunRow,
  changed: ReadonlyMap<string, readonly LockedItem[]>,
  by: string,
): Promise<void> {
  for (const [txId, items] of changed)
    await setTransaction(
      db,
      items.map(({ id }) => id),
      txId,
      by,
    )
  const ids = [...changed.values()].flat().map(({ delivery_id }) => delivery_id)
  await touchRun(db, run.id)
  await auditRun(db, { by, action: 'payout-transactions-recorded' }, run, { count: ids.length })
  await recordDeliveries(db, ids, 'sent')
}

/** If the network isn't read, an officer states what the network shows, and stands for it with their name. */
export const confirmPayoutItems: Handler<typeof api.confirmPayoutItems> = async (
  { params, body },
  context,
) => {
  const { db, config, caller } = context
  await transaction(db, async (tx) => {
    const run = await lockOtherMembersRun(tx, params.id, caller)
    const items = await lockItems(tx, run.id)
    const chosen = items.filter(({ delivery_id }) => body.deliveryIds.includes(delivery_id))
    const isReady = (item: LockedItem) => item.is_live && item.sent_at !== null && item.confirmed_at === null
    if (isWatched(config.token, run)) throw new Refused('conflict')
    if (run.cancelled_at || chosen.length !== body.deliveryIds.length || !chosen.every(isReady))
      throw new Refused('conflict')
    caller.requireStepUp()
    const ids = chosen.map(({ id }) => id)
    await confirmItems(tx, ids, caller.memberId)
    await touchRun(tx, run.id)
    await auditRun(tx, { by: caller.memberId, action: 'payout-confirmed' }, run, { count: ids.length })
    await recordDeliveries(tx, body.deliveryIds, 'confirmed')
    const isDone = items.every((item) => !item.is_live || item.confirmed_at || ids.includes(item.id))
    if (isDone) await recordRunChange(tx, run, 'done')
    await notifyOwnersOfDeliveries(tx, context, chosen)
  })
  return presentRun(db, context, params.id)
}
