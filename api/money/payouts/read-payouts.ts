import { DAY } from '#contract/platform/durations.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import {
  payoutApprovalDays,
  payouts,
  type Payout,
  type PayoutDetail,
  type PayoutFormat,
  type PayoutItem,
} from '#contract/money/payouts.ts'
import type { TokenSetting } from '../../platform/config/read-token.ts'
import type { Tx } from '../../platform/db/database.ts'
import { utc, type CsvColumns } from '../../platform/http/csv-download.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { findWatch } from '../chains/chain.queries.ts'
import { explorerOf } from '../deliveries/present-delivery.ts'
import { listShownItems } from './candidate.queries.ts'
import { readHold } from './holds.ts'
import { findRunRow, listExports, listRunRows } from './payout.queries.ts'
import { person } from './person.ts'
import { isStillOfficer, isWatched } from './require-payout.ts'
import { formatsOf } from './run-files.rules.ts'

type ListedRun = NonNullable<Awaited<ReturnType<typeof findRunRow>>>
type ShownItem = Awaited<ReturnType<typeof listShownItems>>[number]

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const presentListed = (row: ListedRun): Payout => ({
  id: row.id,
  number: Number(row.number),
  state: row.state,
  items: row.items,
  total: shortDecimal(row.total),
  network: row.network,
  hash: row.hash,
  frozenBy: { id: row.frozen_by, name: row.frozen_name ?? '' },
  frozenAt: row.frozen_at.toISOString(),
  needsTwo: row.needs_two,
  approvedBy: person(row.approved_by, row.approved_name),
  approvedAt: iso(row.approved_at),
  firstExportedAt: iso(row.first_exported_at),
  sent: row.sent,
  confirmed: row.confirmed,
  cancelledAt: iso(row.cancelled_at),
  updatedAt: row.updated_at.toISOString(),
})

const columns: CsvColumns<ListedRun> = [
  ['number', (row) => row.number],
  ['state', (row) => row.state],
  ['items', (row) => String(row.items)],
  ['total', (row) => shortDecimal(row.total)],
  ['network', (row) => row.network],
  ['contract', (row) => row.contract],
  ['hash', (row) => row.hash],
  ['frozen', (row) => utc(row.frozen_at)],
  ['frozenBy', (row) => row.frozen_name ?? ''],
  ['approved', (row) => utc(row.approved_at)],
  ['approvedBy', (row) => row.approved_name ?? ''],
  ['exported', (row) => utc(row.first_exported_at)],
  ['sent', (row) => String(row.sent)],
  ['confirmed', (row) => String(row.confirmed)],
  ['cancelled', (row) => utc(row.cancelled_at)],
  ['cancelledBy', (row) => row.cancelled_name ?? ''],
  ['cancelReason', (row) => row.cancel_reason],
]

function itemState({ is_live, sent_at, confirmed_at }: ShownItem): PayoutItem['state'] {
  if (!is_live) return 'released'
  if (confirmed_at) return 'confirmed'
  return sent_at ? 'sent' : 'in_run'
}

const presentItem = (row: ShownItem): PayoutItem => ({
  deliveryId: row.delivery_id,
  reference: row.reference,
  tranche: row.tranche,
  orderId: row.order_id,
  orderReference: shownReference(row.order_reference),
  memberId: row.member_id,
  memberEmail: row.member_email ?? '',
  position: row.position,
  address: row.address,
  amount: shortDecimal(row.amount),
  state: itemState(row),
  txId: row.tx_id,
  sentAt: iso(row.sent_at),
  sentBy: person(row.sent_by, row.sent_name),
  confirmedAt: iso(row.confirmed_at),
  confirmedBy: person(row.confirmed_by, row.confirmed_name),
  assignReason: row.assign_reason,
  height: row.height,
  warnings: row.warnings,
})

/** What the node shows; null if the network of the run isn't read. */
async function readWatch(db: Tx, token: TokenSetting, run: ListedRun): Promise<PayoutDetail['watch']> {
  const { watch } = token
  if (!watch || !isWatched(token, run)) return null
  const known = await findWatch(db, watch.chain.coin)
  return {
    confirmationsNeeded: watch.chain.confirmations,
    tipHeight: known?.tip_height ?? null,
    readUntil: iso(known?.looked_at ?? null),
    isReached: known?.failure === null && known.looked_at !== null,
  }
}

type Reader = Pick<MemberContext, 'config' | 'content' | 'caller'>

export async function findRun(
  db: Tx,
  { config, content, caller }: Reader,
  id: string,
): Promise<PayoutDetail | undefined> {
  const row = await findRunRow(db, id)
  if (!row) return undefined
  const items = await listShownItems(db, id)
  const exports = await listExports(db, id)
  const proposedBy = row.cancelled_at ? null : person(row.cancel_proposed_by, row.proposed_name)
  return {
    ...presentListed(row),
    contract: row.contract,
    decimals: row.decimals,
    explorer: explorerOf({ config, content }),
    watch: await readWatch(db, config.token, row),
    formats: formatsOf(row.network),
    list: items.map(presentItem),
    exports: exports.map(({ format, by_member_id, by_name, at, file_hash }) => ({
      format: format as PayoutFormat,
      by: person(by_member_id, by_name),
      at: at.toISOString(),
      fileHash: file_hash,
    })),
    approvableUntil:
      row.state === 'waiting'
        ? new Date(row.frozen_at.getTime() + payoutApprovalDays * DAY).toISOString()
        : null,
    proposal: proposedBy && {
      by: proposedBy,
      at: row.cancel_proposed_at!.toISOString(),
      reason: row.cancel_reason,
      deliveryIds: row.cancel_delivery_ids,
      counts: await isStillOfficer(db, config, row.cancel_proposed_by, row.cancel_proposed_at),
    },
    cancelledBy: person(row.cancelled_by, row.cancelled_name),
    cancelReason: row.cancelled_at ? row.cancel_reason : '',
    forbids: items.some(({ member_id }) => member_id === caller.memberId) ? 'own' : null,
    hold: await readHold(db),
  }
}

export async function presentRun(db: Tx, reader: Reader, id: string): Promise<PayoutDetail> {
  const run = await findRun(db, reader, id)
  if (!run) throw new Refused('not_found')
  return run
}

export const {
  list: listPayouts,
  file: exportPayouts,
  get: getPayout,
} = serveResource(payouts, {
  read: ({ db, caller }, filters, page) => listRunRows(db, caller.memberId, filters, page),
  present: (_, rows) => rows.map(presentListed),
  file: { name: 'payouts', columns, lines: (_, rows) => rows, limit: { name: 'order' } },
  detail: (context, id) => findRun(context.db, context, id),
})
