import { sql, type Selectable } from 'kysely'
import type { WithdrawalAction } from '#contract/money/console-withdrawals.ts'
import { SECOND } from '#contract/platform/durations.ts'
import type { Refund, WithdrawalState } from '#contract/money/withdrawals.ts'
import { blockTimeTolerance } from '../../chains/transfer.queries.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import type { DB } from '../../../platform/db/rows.ts'
import type { ChainSetting } from '../../../platform/config/read-chains.ts'
import { isApprovalExpired } from '../order-deadline.queries.ts'
import { isOffChain, isPaymentGone, isPaymentRemoved } from '../order-change.queries.ts'
import { withdrawnStates, type Promised } from './withdrawal.rules.ts'

export type WithdrawalRow = Selectable<DB['order_withdrawal']>

/** The action that the first approver proposed. The refund is null for other actions. */
export type WithdrawalApproval = { act: WithdrawalAction; reason: string; refund: Refund | null }

/** A date is compared and displayed as text: as a timestamp it could be another day in another time zone. */
const withDay = sql<string | null>`to_char(refund_paid_on, 'YYYY-MM-DD')`.as('paid_on')

export type StoredWithdrawal = WithdrawalRow & { paid_on: string | null }

const selected = (db: Tx) => db.selectFrom('order_withdrawal').selectAll().select(withDay)

export const findWithdrawalOfOrder = (db: Tx, orderId: string): Promise<StoredWithdrawal | undefined> =>
  selected(db).where('order_id', '=', orderId).executeTakeFirst()

/** Returns the order of the withdrawal, which must be locked first. */
export const findOrderOfWithdrawal = async (db: Tx, id: string): Promise<string | undefined> =>
  (await db.selectFrom('order_withdrawal').select('order_id').where('id', '=', id).executeTakeFirst())
    ?.order_id

/**
 * Whether it arrived at an address that only this order has. A payment to a shared address may be someone else's,
 * regardless of who reported it.
 */
export const isPaidAlone = sql<boolean>`exists (select from chain_address a
  where a.order_id = token_order.id and a.address = token_order.receiving_address)`.as('is_paid_alone')

export type Watched = readonly Pick<ChainSetting, 'coin' | 'confirmations'>[]

/**
 * Returns the final part of what arrived at the order's own address since it was placed. Excludes transactions that the
 * sender can still replace, and coins that are no longer monitored.
 */
export function finalOnChain(chains: Watched) {
  const needed = JSON.stringify(
    Object.fromEntries(chains.map(({ coin, confirmations }) => [coin, confirmations])),
  )
  return sql<string | null>`(select sum(t.amount) from chain_address own
    join chain_transfer t on t.address_id = own.id
    join chain_watch watch on watch.coin = own.coin
    where own.order_id = token_order.id and own.address = token_order.receiving_address and t.gone_at is null
      and t.height <= watch.height - (${needed}::jsonb ->> own.coin)::int + 1
      and t.first_seen_at >= token_order.created_at
      and coalesce(t.block_at >= token_order.created_at - ${blockTimeTolerance / SECOND} * interval '1 second', true))`.as(
    'chain_final',
  )
}

/** Returns what the chain shows for the order, as last evaluated, and how much of it is final. */
export const findSeenOnChain = (db: Tx, chains: Watched, orderId: string) =>
  db
    .selectFrom('token_order')
    .leftJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .select(['chain_payment.received as chain_received', isPaidAlone, finalOnChain(chains)])
    .select(sql<boolean>`(${isPaymentGone} or ${isOffChain})`.as('is_gone'))
    .select(isPaymentRemoved.as('is_payment_removed'))
    .where('token_order.id', '=', orderId)
    .executeTakeFirstOrThrow()

export const lockWithdrawal = (db: Tx, id: string): Promise<StoredWithdrawal> =>
  selected(db).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Returns when the transaction began: a request that arrived in time may wait for the lock. */
export async function readClock(db: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()::timestamptz(3) as now`.execute(db)
  return rows[0]!.now
}

const noProposal = { proposed_by: null, proposed_at: null, proposal: null, proposal_seen: null }
// Edit conflicts are detected by time, so two changes in one millisecond need different times.
const later = { updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')` }

/**
 * Stores a request. A closed withdrawal, for which money came later, becomes a new request with the same reference. A
 * proposed decision on it no longer counts, because the request changes the order, too.
 */
export const insertWithdrawal = (
  db: Tx,
  values: {
    orderId: string
    state: WithdrawalState
    untilAt: Date
    refundBefore: Date
    refundAddress: string
    note: string
  },
): Promise<StoredWithdrawal> =>
  db
    .insertInto('order_withdrawal')
    .values({
      order_id: values.orderId,
      state: values.state,
      until_at: values.untilAt,
      refund_before: values.refundBefore,
      refund_address: values.refundAddress,
      note: values.note,
    })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet(({ ref }) => ({
        state: ref('excluded.state'),
        requested_at: ref('excluded.requested_at'),
        until_at: ref('excluded.until_at'),
        refund_before: ref('excluded.refund_before'),
        refund_address: ref('excluded.refund_address'),
        note: ref('excluded.note'),
        reason: '',
        decided_by: null,
        decided_at: null,
        updated_at: sql<Date>`greatest(now(), order_withdrawal.updated_at + interval '1 millisecond')`,
      })),
    )
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

const update = (db: Tx, id: string) => db.updateTable('order_withdrawal').where('id', '=', id)

export const proposeForWithdrawal = (db: Tx, id: string, by: string, voice: WithdrawalApproval) =>
  update(db, id)
    .set({ proposed_by: by, proposed_at: sql<Date>`now()`, proposal: JSON.stringify(voice), ...later })
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

/**
 * Locks the next order with a proposed withdrawal decision that is no longer valid. Concurrent instances get different
 * ones.
 */
export const lockNextExpiredWithdrawal = (
  db: Tx,
  counting: Parameters<typeof isApprovalExpired>[1],
  without: readonly string[],
) =>
  db
    .selectFrom('token_order')
    .innerJoin('order_withdrawal', 'order_withdrawal.order_id', 'token_order.id')
    .selectAll('token_order')
    .where('order_withdrawal.proposed_at', 'is not', null)
    .where(
      isApprovalExpired(
        {
          by: sql.ref('order_withdrawal.proposed_by'),
          at: sql.ref('order_withdrawal.proposed_at'),
          seen: sql.ref('order_withdrawal.proposal_seen'),
        },
        counting,
      ),
    )
    .$if(without.length > 0, (query) => query.where('token_order.id', 'not in', without))
    .orderBy('order_withdrawal.proposed_at')
    .limit(1)
    .forUpdate('token_order')
    .skipLocked()
    .executeTakeFirst()

/** Ends the proposed decision on the withdrawal from a locked order. Returns its author. */
export async function clearWithdrawalProposal(
  db: Tx,
  orderId: string,
): Promise<{ proposed_by: string | null }> {
  const before = await db
    .selectFrom('order_withdrawal')
    .select('proposed_by')
    .where('order_id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db
    .updateTable('order_withdrawal')
    .set({ ...noProposal, ...later })
    .where('order_id', '=', orderId)
    .execute()
  return before
}

export const decideWithdrawal = (
  db: Tx,
  id: string,
  { state, by, reason }: { state: 'accepted' | 'refused' | 'unpaid'; by: string; reason: string },
) =>
  update(db, id)
    .set({ state, decided_by: by, decided_at: sql<Date>`now()`, reason, ...noProposal, ...later })
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

export const writeRefund = (
  db: Tx,
  id: string,
  { by, reason, refund }: { by: string; reason: string; refund: Refund },
) =>
  update(db, id)
    .set({
      state: 'refunded',
      refund_amount: refund.amount,
      refund_currency: refund.currency,
      refund_tx_id: refund.txId,
      refund_paid_on: sql<Date>`${refund.paidOn}::date`,
      refunded_by: by,
      refunded_at: sql<Date>`now()`,
      ...(reason !== '' && { reason }),
      ...noProposal,
      ...later,
    })
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

/** What a refund covered before more money was recorded. */
export type Covered = { payment: string; refund: string; currency: string }

/** Records that more money was received after the order was refunded, and what the refund covered until then. */
export async function markPaidAgain(
  db: Tx,
  id: string,
  { payment, refund, currency }: Covered,
): Promise<void> {
  await update(db, id)
    .set({
      is_paid_again: true,
      covered_payment: payment,
      covering_refund: refund,
      covering_currency: currency,
      ...later,
    })
    .execute()
}

/** Stores where the member wants the refund. */
export const replaceRefundAddress = (
  db: Tx,
  id: string,
  { refundAddress, note }: { refundAddress: string; note: string },
): Promise<StoredWithdrawal> =>
  update(db, id)
    .set({ refund_address: refundAddress, note, ...later })
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

/** Lists the orders that must be neither paid nor completed, because of a withdrawal. */
export const listBeingWithdrawn = async (db: Tx, orderIds: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('order_withdrawal')
      .select('order_id')
      .where('order_id', 'in', orderIds)
      .where('state', 'in', withdrawnStates)
      .execute()
  ).map(({ order_id }) => order_id)
export const isBeingWithdrawn = async (db: Tx, orderId: string): Promise<boolean> =>
  (await listBeingWithdrawn(db, [orderId])).length > 0

export const listWithdrawalsOfMember = (db: Tx, memberId: string, page: Page) =>
  readPage(
    db
      .selectFrom('order_withdrawal')
      .innerJoin('token_order', 'token_order.id', 'order_withdrawal.order_id')
      .selectAll('order_withdrawal')
      .select(withDay)
      .select('token_order.reference as order_reference')
      .where('token_order.member_id', '=', memberId),
    page,
    { at: 'order_withdrawal.requested_at', id: 'order_withdrawal.id' },
  )

export const findPromise = async (db: Tx, orderId: string): Promise<Promised | null> =>
  (await listPromises(db, [orderId])).get(orderId) ?? null

export async function listPromises(db: Tx, orderIds: readonly string[]): Promise<Map<string, Promised>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('withdrawal_period')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .execute()
  return new Map(
    rows.map((row) => [
      row.order_id,
      { until: row.until_at, lastDay: row.last_day, days: row.days, timeZone: row.time_zone },
    ]),
  )
}

export async function insertPromise(
  db: Tx,
  orderId: string,
  { until, lastDay, days, timeZone }: Promised,
): Promise<void> {
  await db
    .insertInto('withdrawal_period')
    .values({ order_id: orderId, until_at: until, last_day: lastDay, days, time_zone: timeZone })
    .execute()
}
