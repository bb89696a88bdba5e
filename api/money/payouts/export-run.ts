import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { PayoutFormat } from '#contract/money/payouts.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import {
  insertExport,
  lockItems,
  markExported,
  shareLockOfPayouts,
  type LockedItem,
  type RunRow,
} from './payout.queries.ts'
import { listUnpayable, refusedDeliveries } from './plan-run.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import {
  haveKeptRight,
  lockOtherMembersRun,
  lockParts,
  readFrozen,
  requireNoHold,
  secondPerson,
} from './require-payout.ts'
import { fileFormats, fileNameOf, formatsOf } from './run-files.rules.ts'
import { hashOf } from './run-hash.rules.ts'

/**
 * The export is committed before the first byte is sent. If the server stops in between, the run counts as exported, and
 * the next export returns the same bytes.
 */
export const exportPayoutFile: Handler<typeof api.exportPayoutFile> = async ({ params }, context) => {
  const { format } = params
  const { run, text } = await transaction(context.db, (tx) => exportRun(tx, context, params.id, format))
  return {
    contentType: fileFormats[format].contentType,
    fileName: fileNameOf(run, format),
    headers: { 'x-payout-hash': run.hash },
    stream: Readable.from([text]),
  }
}

async function exportRun(
  db: Tx,
  { caller, config }: MemberContext,
  id: string,
  format: PayoutFormat,
): Promise<{ run: RunRow; text: string }> {
  await shareLockOfPayouts(db)
  await lockParts(db, id)
  const run = await lockOtherMembersRun(db, id, caller)
  await requireNoHold(db)
  const isWaiting = run.needs_two && !run.approved_at
  if (run.cancelled_at || isWaiting || !formatsOf(run.network).includes(format)) throw new Refused('conflict')
  const items = await lockItems(db, id)
  // The file would pay a delivery that may be in another run by now.
  if (items.some(({ is_live }) => !is_live)) throw new Refused('conflict')
  // It would only pay what was paid, in an assigned run without any earlier file.
  if (items.every(({ tx_id }) => tx_id !== '')) throw new Refused('conflict')
  if (!run.first_exported_at) await requireUnchanged(db, config, run, items)
  caller.requireStepUp()
  const text = fileFormats[format].write(await readFrozen(db, run))
  const fileHash = hashOf(text)
  if (!run.first_exported_at) {
    await markExported(db, id)
    await recordRunChange(db, run, 'exported')
  }
  await insertExport(db, { runId: id, format, by: caller.memberId, fileHash })
  await auditRun(db, { by: caller.memberId, action: 'payout-exported' }, run, { format, fileHash })
  return { run, text }
}

/** Before the first export, nothing was sent, so whatever has changed since the freeze still stops it. */
async function requireUnchanged(
  db: Tx,
  config: Config,
  run: RunRow,
  items: readonly LockedItem[],
): Promise<void> {
  const { network, contract, decimals } = config.token
  if (run.network !== network || run.contract !== contract || run.decimals !== decimals)
    throw new Refused('conflict')
  if (run.needs_two && !(await haveKeptRight(db, config, run))) throw secondPerson('hash')
  const unpayable = await listUnpayable(db, config, items)
  if (unpayable.length === 0) return
  const refused = new Set(unpayable.map(({ deliveryId }) => deliveryId))
  throw refusedDeliveries(
    unpayable,
    items.flatMap(({ delivery_id, position }) => (refused.has(delivery_id) ? [`list.${position - 1}`] : [])),
  )
}
