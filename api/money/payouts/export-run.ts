import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { PayoutFormat } from '#contract/money/payouts.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { lockDeliveries } from '../deliveries/delivery-state.queries.ts'
import { lockOrders } from '../orders/order.queries.ts'
import { listHeldDeliveries } from './candidate.queries.ts'
import { insertExport, listPartsOfRun, lockItems, markExported, type RunRow } from './payout.queries.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import { lockOtherMembersRun, readFrozen, requireNoHold } from './require-payout.ts'
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
  { caller }: MemberContext,
  id: string,
  format: PayoutFormat,
): Promise<{ run: RunRow; text: string }> {
  const parts = await listPartsOfRun(db, id)
  if (parts.length > 0) {
    await lockOrders(db, [...new Set(parts.map(({ order_id }) => order_id))])
    await lockDeliveries(
      db,
      parts.map((part) => part.id),
    )
  }
  const run = await lockOtherMembersRun(db, id, caller)
  await requireExportable(db, run, format)
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

async function requireExportable(db: Tx, run: RunRow, format: PayoutFormat): Promise<void> {
  await requireNoHold(db)
  const isWaiting = run.needs_two && !run.approved_at
  if (run.cancelled_at || isWaiting || !formatsOf(run.network).includes(format)) throw new Refused('conflict')
  const items = await lockItems(db, run.id)
  // The file would pay a delivery that may be in another run by now.
  if (items.some(({ is_live }) => !is_live)) throw new Refused('conflict')
  if (run.first_exported_at) return
  const held = await listHeldDeliveries(
    db,
    items.map(({ delivery_id }) => delivery_id),
  )
  if (held.length === 0) return
  throw new Refused('conflict', {
    fields: items.flatMap(({ delivery_id, position }) =>
      held.includes(delivery_id) ? [{ path: `list.${position - 1}`, code: 'unsettled' as const }] : [],
    ),
  })
}
