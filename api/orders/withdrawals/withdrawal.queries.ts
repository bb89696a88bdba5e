import { sql, type Selectable } from 'kysely'
import type { WithdrawalAct } from '#contract/console-withdrawals.ts'
import { SECOND } from '#contract/durations.ts'
import type { Refund, WithdrawalState } from '#contract/withdrawals.ts'
import { blockTimeTolerance } from '../../chains/block-time.ts'
import type { Tx } from '../../db/database.ts'
import { readPage, type Page } from '../../db/read-page.ts'
import type { DB } from '../../db/rows.ts'
import type { ChainSetting } from '../../read-chains.ts'
import { transactionKey } from '../transaction-key.ts'
import { isLapsed } from '../order-deadline.queries.ts'
import { openStates } from './withdrawal.rules.ts'

export type WithdrawalRow = Selectable<DB['order_withdrawal']>

/** What the first of two would do. The refund is null unless that is what they record. */
export type WithdrawalVoice = { act: WithdrawalAct; reason: string; refund: Refund | null }

/** A day is compared and shown as text: as a time it would be another day elsewhere. */
const withDay = sql<string | null>`to_char(refund_paid_on, 'YYYY-MM-DD')`.as('paid_on')

export type StoredWithdrawal = WithdrawalRow & { paid_on: string | null }

const selected = (db: Tx) => db.selectFrom('order_withdrawal').selectAll().select(withDay)

export const findWithdrawalOfOrder = (db: Tx, orderId: string): Promise<StoredWithdrawal | undefined> =>
  selected(db).where('order_id', '=', orderId).executeTakeFirst()

/** Which order the withdrawal is from: that is locked first, as everywhere. */
export const findOrderOfWithdrawal = async (db: Tx, id: string): Promise<string | undefined> =>
  (await db.selectFrom('order_withdrawal').select('order_id').where('id', '=', id).executeTakeFirst())
    ?.order_id

/** At an address that only this order has. What came to a shared one may be somebody else's, whoever reported it. */
export const isPaidAlone = sql<boolean>`exists (select from chain_address a
  where a.order_id = token_order.id and a.address = token_order.receiving_address)`.as('is_paid_alone')

export type Watched = readonly Pick<ChainSetting, 'coin' | 'confirmations'>[]

/**
 * The final part of what came to the order's own address since it was placed. A transaction that its sender can still replace is not
 * part of it, nor is anything of a coin that is no longer watched.
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

/** What the chain has for the order, as it was judged last, and how much of it is final. */
export const findSeenOnChain = (db: Tx, chains: Watched, orderId: string) =>
  db
    .selectFrom('token_order')
    .leftJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .select(['chain_payment.received as chain_received', isPaidAlone, finalOnChain(chains)])
    .where('token_order.id', '=', orderId)
    .executeTakeFirstOrThrow()

export const lockWithdrawal = (db: Tx, id: string): Promise<StoredWithdrawal> =>
  selected(db).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** When the transaction began: a request that came in time may wait for the lock. */
export async function readClock(db: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()::timestamptz(3) as now`.execute(db)
  return rows[0]!.now
}

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
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

const noProposal = { proposed_by: null, proposed_at: null, proposal: null }
// Two changes in one millisecond must have different times, because conflicts are detected by the time.
const later = { updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')` }

const update = (db: Tx, id: string) => db.updateTable('order_withdrawal').where('id', '=', id)

export const proposeForWithdrawal = (db: Tx, id: string, by: string, voice: WithdrawalVoice) =>
  update(db, id)
    .set({ proposed_by: by, proposed_at: sql<Date>`now()`, proposal: JSON.stringify(voice), ...later })
    .returningAll()
    .returning(withDay)
    .executeTakeFirstOrThrow()

/** The next order with a withdrawal for which a proposed decision counts no more. Concurrent instances get different ones. */
export const lockNextLapsedWithdrawal = (
  db: Tx,
  counting: Parameters<typeof isLapsed>[2],
  without: readonly string[],
) =>
  db
    .selectFrom('token_order')
    .innerJoin('order_withdrawal', 'order_withdrawal.order_id', 'token_order.id')
    .selectAll('token_order')
    .where('order_withdrawal.proposed_at', 'is not', null)
    .where(
      isLapsed(sql.ref('order_withdrawal.proposed_by'), sql.ref('order_withdrawal.proposed_at'), counting),
    )
    .$if(without.length > 0, (query) => query.where('token_order.id', 'not in', without))
    .orderBy('order_withdrawal.proposed_at')
    .limit(1)
    .forUpdate('token_order')
    .skipLocked()
    .executeTakeFirst()

/** Ends the proposed decision on the withdrawal from a locked order. Answers who proposed it. */
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

/** Nothing is completed while its member waits for an answer, nor after they got their way. */
export const listBeingWithdrawn = async (db: Tx, orderIds: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('order_withdrawal')
      .select('order_id')
      .where('order_id', 'in', orderIds)
      .where('state', 'in', [...openStates, 'refunded'])
      .execute()
  ).map(({ order_id }) => order_id)
export const isBeingWithdrawn = async (db: Tx, orderId: string): Promise<boolean> =>
  (await listBeingWithdrawn(db, [orderId])).length > 0

/** Whether another withdrawal was refunded by the same transaction: one of many outputs may be, one of an account is a mistake. */
export async function isRefundTransaction(db: Tx, txId: string, exceptId: string): Promise<boolean> {
  const others = await db
    .selectFrom('order_withdrawal')
    .select('refund_tx_id')
    .where('refund_tx_id', '<>', '')
    .where('id', '!=', exceptId)
    .execute()
  // Only the program knows the rules of a key.
  const key = transactionKey(txId)
  return others.some(({ refund_tx_id }) => transactionKey(refund_tx_id) === key)
}

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
