import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import {
  payoutApprovalDays,
  payouts,
  type PayoutFilters,
  type PayoutFormat,
  type PayoutState,
} from '#contract/money/payouts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow, literalInLike } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import type { DB } from '../../platform/db/rows.ts'
import type { FrozenItem } from './run-hash.rules.ts'
import { nameOfOfficerIn, officerNameWithAddress } from '../orders/order-officer.queries.ts'
import { normalizeHash } from './run-hash.rules.ts'

export type RunRow = Selectable<DB['payout_run']>
export type ItemRow = Selectable<DB['payout_item']>

const liveItems = sql`from payout_item where payout_item.run_id = payout_run.id and payout_item.is_live`

const sentCount = sql<number>`(select count(*)::int ${liveItems} and payout_item.sent_at is not null)`
const confirmedCount = sql<number>`(select count(*)::int ${liveItems} and payout_item.confirmed_at is not null)`

/** Computed from what people did, so that it is never outdated. */
export const runState = sql<PayoutState>`case
  when payout_run.cancelled_at is not null then 'cancelled'
  when payout_run.needs_two and payout_run.approved_at is null then 'waiting'
  when payout_run.first_exported_at is null then 'ready'
  when not exists (select ${liveItems} and payout_item.sent_at is not null) then 'exported'
  when exists (select ${liveItems} and payout_item.sent_at is null) then 'partly_sent'
  when exists (select ${liveItems} and payout_item.confirmed_at is null) then 'sent'
  else 'done' end`

const approvalTime = fromNow(-payoutApprovalDays * DAY)

/** Runs that the officer can approve or cancel as the second one. Written as in the partial index. */
export const isRunWaitingFor = (memberId: string): RawBuilder<SqlBool> => sql`(payout_run.cancelled_at is null
  and (payout_run.needs_two and payout_run.approved_at is null and payout_run.frozen_by <> ${memberId}
      and payout_run.frozen_at > ${approvalTime}
    or payout_run.cancel_proposed_by <> ${memberId} and payout_run.cancel_proposed_at > ${approvalTime})
  and not exists (select from payout_item theirs
    join delivery on delivery.id = theirs.delivery_id
    join token_order on token_order.id = delivery.order_id
    where theirs.run_id = payout_run.id and token_order.member_id = ${memberId}))`

const listedRuns = (db: Tx) =>
  db
    .selectFrom('payout_run')
    .selectAll('payout_run')
    .select([
      runState.as('state'),
      sentCount.as('sent'),
      confirmedCount.as('confirmed'),
      nameOfOfficerIn('payout_run.frozen_by').as('frozen_name'),
      nameOfOfficerIn('payout_run.approved_by').as('approved_name'),
      nameOfOfficerIn('payout_run.cancelled_by').as('cancelled_name'),
      nameOfOfficerIn('payout_run.cancel_proposed_by').as('proposed_name'),
    ])

export type ListedRun = Awaited<ReturnType<typeof listRunRows>>['rows'][number]

/** Passed as an array, so that each run is fetched by key. */
function found(q: string): RawBuilder<SqlBool> {
  const text = q.trim()
  const hash = normalizeHash(text)
  const ways = [
    ...(/^\d{1,15}$/.test(text) ? [sql`select id from payout_run where number = ${text}::bigint`] : []),
    ...(/^[\da-f]{4,64}$/.test(hash)
      ? [sql`select id from payout_run where hash like ${`${literalInLike(hash)}%`}`]
      : []),
    sql`select run_id from payout_item where tx_id <> '' and tx_id in (${text}, ${text.toLowerCase()})`,
  ]
  return sql`payout_run.id = any(array(${sql.join(ways, sql` union `)}))`
}

export const listRunRows = (db: Tx, readerId: string, filters: PayoutFilters, page: Page) =>
  readList(
    payouts,
    {
      rows: listedRuns(db),
      where: {
        q: (rows, q) => rows.where(found(q)),
        state: (rows, state) => rows.where(sql<SqlBool>`${runState} = ${state}`),
        waitingFor: (rows) => rows.where(isRunWaitingFor(readerId)),
      },
      sortBy: { frozen: 'payout_run.frozen_at' },
      id: 'payout_run.id',
    },
    filters,
    page,
  )

export const findRunRow = (db: Tx, id: string) =>
  listedRuns(db).where('payout_run.id', '=', id).executeTakeFirst()

export const lockRun = (db: Tx, id: string): Promise<RunRow | undefined> =>
  db.selectFrom('payout_run').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Freezes run one after the other, so that two of them can't wait for each other's deliveries, and so that an officer's
 * total for the day is counted once. A hold waits for everything that is under way. Taken before any row is locked.
 */
export async function lockPayouts(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('payouts', 0))`.execute(db)
}

/** Approvals and exports wait for a hold, but not for each other. */
export async function shareLockOfPayouts(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('payouts', 0))`.execute(db)
}

/** Two runs can't record one transaction, or be proved by one transfer, at the same time. Taken after the run is locked. */
export async function lockTransactions(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('payout transactions', 0))`.execute(db)
}

/** Lists the transactions among these that paid deliveries of another run. */
export const listTransactionsOfOthers = async (
  db: Tx,
  runId: string,
  txIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (txIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('payout_item')
    .select('tx_id')
    .distinct()
    .where('tx_id', '<>', '')
    .where('tx_id', 'in', txIds)
    .where('run_id', '<>', runId)
    .execute()
  return new Set(rows.map((row) => row.tx_id))
}

/** Returns how many tokens the officer froze without a second person within 24 hours. */
export async function sumFrozenAlone(db: Tx, officerId: string): Promise<string> {
  const { sum } = await db
    .selectFrom('payout_run')
    .select(sql<string>`coalesce(sum(total), 0)::text`.as('sum'))
    .where('frozen_by', '=', officerId)
    .where(({ not, ref }) => not(ref('needs_two')))
    .where('cancelled_at', 'is', null)
    .where('frozen_at', '>', ago(DAY))
    .executeTakeFirstOrThrow()
  return sum
}

type NewRun = {
  network: string
  contract: string
  decimals: number
  items: number
  total: string
  frozenBy: string
  needsTwo: boolean
}

/** Inserts a run. Its hash includes the number that it gets here, so it is set with `setHash`. */
export const insertRun = (db: Tx, { frozenBy, needsTwo, ...run }: NewRun) =>
  db
    .insertInto('payout_run')
    .values({ ...run, frozen_by: frozenBy, needs_two: needsTwo, hash: '0'.repeat(64) })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()

export const setHash = (db: Tx, id: string, hash: string) =>
  db.updateTable('payout_run').set({ hash }).where('id', '=', id).execute()

type NewItem = { deliveryId: string; position: number; address: string; amount: string }

/** The partial unique index `payout_item_live` rejects a delivery that another run has. */
export const insertItems = (db: Tx, runId: string, items: readonly NewItem[]) =>
  db
    .insertInto('payout_item')
    .values(items.map(({ deliveryId, ...item }) => ({ run_id: runId, delivery_id: deliveryId, ...item })))
    .execute()

/** Lists what the hash of a run covers, including the items that were released later. */
export const listFrozenItems = (db: Tx, runId: string): Promise<FrozenItem[]> =>
  db
    .selectFrom('payout_item')
    .innerJoin('delivery', 'delivery.id', 'payout_item.delivery_id')
    .select(['payout_item.position', 'payout_item.address', 'payout_item.amount', 'delivery.reference'])
    .where('payout_item.run_id', '=', runId)
    .orderBy('payout_item.position')
    .execute()

/** Lists the deliveries and orders of a run, which never change. */
export const listPartsOfRun = (db: Tx, runId: string) =>
  db
    .selectFrom('payout_item')
    .innerJoin('delivery', 'delivery.id', 'payout_item.delivery_id')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .select(['delivery.id', 'delivery.order_id', 'token_order.member_id'])
    .where('payout_item.run_id', '=', runId)
    .execute()

export const lockItems = (db: Tx, runId: string) =>
  db
    .selectFrom('payout_item')
    .innerJoin('delivery', 'delivery.id', 'payout_item.delivery_id')
    .selectAll('payout_item')
    .select('delivery.reference')
    .where('payout_item.run_id', '=', runId)
    .orderBy('payout_item.position')
    .forUpdate('payout_item')
    .execute()
export type LockedItem = Awaited<ReturnType<typeof lockItems>>[number]

const now = sql<Date>`now()`

export const approveRun = (db: Tx, id: string, by: string) =>
  db
    .updateTable('payout_run')
    .set({ approved_by: by, approved_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()

export const markExported = (db: Tx, id: string) =>
  db.updateTable('payout_run').set({ first_exported_at: now, updated_at: now }).where('id', '=', id).execute()

export const insertExport = (
  db: Tx,
  { runId, format, by, fileHash }: { runId: string; format: PayoutFormat; by: string; fileHash: string },
) =>
  db
    .insertInto('payout_export')
    .values({ run_id: runId, format, by_member_id: by, file_hash: fileHash })
    .execute()

export const listExports = (db: Tx, runId: string) =>
  db
    .selectFrom('payout_export')
    .leftJoin('member', 'member.id', 'payout_export.by_member_id')
    .select(['payout_export.format', 'payout_export.at', 'payout_export.file_hash', 'by_member_id'])
    .select(officerNameWithAddress('member').as('by_name'))
    .where('run_id', '=', runId)
    .orderBy('payout_export.id')
    .execute()

export const proposeCancel = (
  db: Tx,
  id: string,
  { by, reason, deliveryIds }: { by: string; reason: string; deliveryIds: string[] | null },
) =>
  db
    .updateTable('payout_run')
    .set({
      cancel_proposed_by: by,
      cancel_proposed_at: now,
      cancel_reason: reason,
      cancel_delivery_ids: deliveryIds,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export const cancelRun = (db: Tx, id: string, by: string, reason: string) =>
  db
    .updateTable('payout_run')
    .set({ cancelled_by: by, cancelled_at: now, cancel_reason: reason, updated_at: now })
    .where('id', '=', id)
    .execute()

export const clearCancelProposal = (db: Tx, id: string) =>
  db
    .updateTable('payout_run')
    .set({
      cancel_proposed_by: null,
      cancel_proposed_at: null,
      cancel_reason: '',
      cancel_delivery_ids: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export const releaseItems = (db: Tx, ids: readonly string[]) =>
  db.updateTable('payout_item').set({ is_live: false }).where('id', 'in', ids).execute()

/** Another transaction than before replaces one that the network lost. */
export const setTransaction = (db: Tx, itemIds: readonly string[], txId: string, by: string) =>
  db
    .updateTable('payout_item')
    .set({ tx_id: txId, transfer_id: null, assign_reason: '', sent_at: now, sent_by: by })
    .where('id', 'in', itemIds)
    .execute()

export const confirmItems = (db: Tx, ids: readonly string[], by: string) =>
  db.updateTable('payout_item').set({ confirmed_at: now, confirmed_by: by }).where('id', 'in', ids).execute()

export const touchRun = (db: Tx, id: string) =>
  db.updateTable('payout_run').set({ updated_at: now }).where('id', '=', id).execute()
