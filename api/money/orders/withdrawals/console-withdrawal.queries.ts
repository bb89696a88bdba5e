import { beginningOf } from '../../../platform/text/order-reference.ts'
import { sql, type SqlBool } from 'kysely'
import { withdrawals, type WithdrawalFilters } from '#contract/money/console-withdrawals.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { endOfUtcDay, startOfUtcDay } from '../../../platform/db/expressions.ts'
import { readList } from '../../../platform/db/read-list.ts'
import type { Page } from '../../../platform/db/read-page.ts'
import { isPaymentRemoved } from '../order-change.queries.ts'
import { isPaymentReturned } from '../statements/returned-payment.queries.ts'
import { finalOnChain, isPaidAlone, type Watched } from './withdrawal.queries.ts'
import { openStates } from './withdrawal.rules.ts'
import { officerEmail } from '../order-officer.queries.ts'

/**
 * Selects withdrawals with the order fields that the lists show. Addresses are read in subqueries on the rows of the
 * page.
 */
const selected = (db: Tx, chains: Watched) =>
  db
    .selectFrom('order_withdrawal')
    .innerJoin('token_order', 'token_order.id', 'order_withdrawal.order_id')
    .leftJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .selectAll('order_withdrawal')
    .select([
      'token_order.reference as order_reference',
      'token_order.status as order_status',
      'token_order.member_id',
      'token_order.pay_method',
      'token_order.pay_chain',
      'token_order.currency',
      'token_order.amount',
      'token_order.paid_amount',
      'token_order.fab_qty',
      'token_order.is_disputed',
      'token_order.is_reported_late',
      'token_order.is_tx_shared',
      'token_order.updated_at as order_updated_at',
      'chain_payment.received as chain_received',
    ])
    .select([isPaidAlone, finalOnChain(chains), isPaymentRemoved.as('is_payment_removed')])
    .select(sql<boolean>`(${isPaymentReturned})`.as('is_returned'))
    .select([
      sql<string | null>`to_char(refund_paid_on, 'YYYY-MM-DD')`.as('paid_on'),
      sql<boolean>`order_withdrawal.state in ('requested', 'accepted') and refund_before <= now()`.as(
        'is_overdue',
      ),
      addressOf('token_order.member_id').as('member_email'),
      officerOf('order_withdrawal.decided_by').as('decided_by_email'),
      officerOf('order_withdrawal.refunded_by').as('refunded_by_email'),
    ])

/** Identifies the actor by email address, because members can choose any display name. */
const addressOf = (column: string) =>
  sql<string | null>`(select member.email from member where member.id = ${sql.ref(column)})`

/** Identifies staff by email address, even if they erased their account. */
const officerOf = (column: string) =>
  sql<string | null>`(select ${officerEmail('member')} from member where member.id = ${sql.ref(column)})`

export type ListedWithdrawal = Awaited<ReturnType<typeof listConsoleWithdrawalRows>>['rows'][number]

export const findListedWithdrawal = (db: Tx, chains: Watched, orderId: string) =>
  selected(db, chains).where('order_withdrawal.order_id', '=', orderId).executeTakeFirst()

/** Withdrawals that the staff member can act on: neither from their own order nor awaiting approval of their own proposal. */
export const isWithdrawalWaitingFor = (memberId: string) =>
  sql<SqlBool>`token_order.member_id <> ${memberId} and order_withdrawal.proposed_by is distinct from ${memberId}`

/** Lists withdrawals of any member, for staff. */
export const listConsoleWithdrawalRows = (
  db: Tx,
  { readerId, chains, areRefunds = false }: { readerId: string; chains: Watched; areRefunds?: boolean },
  filters: WithdrawalFilters,
  page: Page,
) =>
  readList(
    withdrawals,
    {
      rows: selected(db, chains).$if(areRefunds, (rows) =>
        rows.where('order_withdrawal.state', '=', 'refunded'),
      ),
      where: {
        q: (rows, q) => rows.where(isFoundBy(q)),
        state: (rows, state) => rows.where('order_withdrawal.state', '=', state),
        flag: (rows, flag) => {
          const open = rows.where('order_withdrawal.state', 'in', [...openStates])
          if (flag === 'open') return open
          return open.where('order_withdrawal.refund_before', '<=', sql<Date>`now()`)
        },
        waitingFor: (rows) => rows.where(isWithdrawalWaitingFor(readerId)),
        coin: (rows, coin) =>
          rows.where(
            sql<SqlBool>`lower(coalesce(token_order.currency, token_order.pay_method)) = lower(${coin})`,
          ),
        from: (rows, from) => rows.where('order_withdrawal.requested_at', '>=', startOfUtcDay(from)),
        to: (rows, to) => rows.where('order_withdrawal.requested_at', '<', endOfUtcDay(to)),
      },
      sortBy: { requested: 'order_withdrawal.requested_at', due: 'order_withdrawal.refund_before' },
      id: 'order_withdrawal.id',
    },
    filters,
    page,
  )

function isFoundBy(q: string) {
  const beginning = `${beginningOf(q.replace(/^w-/i, '')) ?? '-'}%`
  return sql<SqlBool>`order_withdrawal.id = any(array(
    select w.id from order_withdrawal w join token_order o on o.id = w.order_id
      join member m on m.id = o.member_id where m.email = ${q.toLowerCase()}
    union select w.id from order_withdrawal w where w.reference like ${beginning}
    union select w.id from order_withdrawal w join token_order o on o.id = w.order_id
      where o.reference like ${beginning}))`
}
