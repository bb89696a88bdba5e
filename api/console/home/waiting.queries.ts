import { sql, type SelectQueryBuilder } from 'kysely'
import { waitingCountMax } from '#contract/console-home.ts'
import { isOpenApplication } from '../../ambassadors/applications/application.queries.ts'
import { isOwnApplicationOf } from '../../ambassadors/applications/board.queries.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { isGeneralMail } from '../../mail/console/console-mail.queries.ts'
import type { MailScope } from '../../mail/console/mail-scope.ts'
import type { DB } from '../../db/rows.ts'
import { isCase } from '../../kyc/kyc.queries.ts'
import { openStates } from '../../kyc/kyc.rules.ts'
import {
  isPaymentGone,
  isPaymentUnexpected,
  isReadyToComplete,
} from '../../orders/console/chain-flags.queries.ts'
import { isNotPayable } from '../../orders/console/console-order.queries.ts'
import { openStates as openWithdrawals } from '../../orders/withdrawals/withdrawal.rules.ts'
import { isAtWithdrawnPrice } from '../../sale/withdrawn-price.queries.ts'
import { findOpenProposal } from '../../sale/sale-proposal.queries.ts'

export type Count = { count: number; oldestAt: Date | null }

/** What is counted, each with the time since when it waits, which an index of its own has in order. */
type Waiting = SelectQueryBuilder<DB, keyof DB, { at: Date | null }>

const countedMax = waitingCountMax + 1

/** Stops where the number is of no more use: however much waits, so many rows are read. */
async function countUpTo(db: Tx, query: Waiting): Promise<Count> {
  const { rows } = await sql<Count>`
    select count(*)::int as count, min(at) as "oldestAt"
    from (${query.orderBy('at').limit(countedMax)}) waiting`.execute(db)
  return rows[0]!
}

/** As the queue shows them: one's own application is not among them. */
const openCases = (db: Tx, memberId: string) =>
  db
    .selectFrom('kyc_application')
    .select('kyc_application.waiting_since as at')
    .where('kyc_application.status', 'in', openStates)
    .where('kyc_application.member_id', '<>', memberId)
    .where(isCase)

/** What the caller has proposed waits for somebody else. */
export const countUnassignedCases = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    openCases(db, memberId)
      .where('kyc_application.assignee_id', 'is', null)
      .where('kyc_application.final_proposed_by', 'is distinct from', memberId)
      .where('kyc_application.approval_proposed_by', 'is distinct from', memberId),
  )

export const countOwnCases = (db: Tx, memberId: string) =>
  countUpTo(db, openCases(db, memberId).where('kyc_application.assignee_id', '=', memberId))

/** Nobody handles their own order, and what the caller has proposed waits for somebody else. */
const orders = (db: Tx, memberId: string) =>
  db
    .selectFrom('token_order')
    .select('token_order.created_at as at')
    .where('token_order.member_id', '!=', memberId)
    .where('token_order.completion_proposed_by', 'is distinct from', memberId)

export const countReportedOrders = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where('status', '=', 'pending').where('tx_id', '<>', ''))

/** By what the watchers of chains wrote down. */
export const countOrdersPaidOnChain = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where(isReadyToComplete))

export const countOrdersWithPaymentGone = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where(isPaymentGone))

export const countOrdersWithUnexpectedPayment = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where(isPaymentUnexpected))

export const countDisputedOrders = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where('is_disputed', '=', true))

export const countLateOrders = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where('is_reported_late', '=', true))

export const countProposedOrders = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where('completion_proposed_at', 'is not', null))

/** As the partial index says it. */
export const countUnpayableOrders = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where(isNotPayable))

export const countOrdersAtWithdrawnPrice = (db: Tx, memberId: string) =>
  countUpTo(db, orders(db, memberId).where('status', '=', 'pending').where(isAtWithdrawnPrice))

/** Nobody decides on their own, and what the caller has proposed waits for somebody else. */
const withdrawals = (db: Tx, memberId: string) =>
  db
    .selectFrom('order_withdrawal')
    .innerJoin('token_order', 'token_order.id', 'order_withdrawal.order_id')
    .where('order_withdrawal.state', 'in', openWithdrawals)
    .where('token_order.member_id', '!=', memberId)
    .where('order_withdrawal.proposed_by', 'is distinct from', memberId)

export const countOpenWithdrawals = (db: Tx, memberId: string) =>
  countUpTo(db, withdrawals(db, memberId).select('order_withdrawal.requested_at as at'))

/** The law's time to refund them is over. */
export const countOverdueWithdrawals = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    withdrawals(db, memberId)
      .select('order_withdrawal.refund_before as at')
      .where('refund_before', '<=', sql<Date>`now()`),
  )

/** At most one waits; whoever made it cannot confirm it. */
export async function countSaleProposals(
  db: Tx,
  memberId: string,
  config: Pick<Config, 'isStaffSecondFactorRequired'>,
): Promise<Count> {
  const proposal = await findOpenProposal(db, config)
  if (!proposal || proposal.proposed_by === memberId) return { count: 0, oldestAt: null }
  return { count: 1, oldestAt: proposal.proposed_at }
}

/** Those that the caller can bring further: not their own, and not what they opened themselves. */
export const countLostFactors = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('lost_factor')
      .select('lost_factor.asked_at as at')
      .where('ended_at', 'is', null)
      .where('state', 'in', ['asked', 'opened'])
      .where('member_id', '<>', memberId)
      .where('opened_by', 'is distinct from', memberId),
  )

/** Nobody decides on their own. */
export const countAmbassadorApplications = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('ambassador_application')
      .select('ambassador_application.created_at as at')
      .where(isOpenApplication)
      .where(sql<boolean>`not ${isOwnApplicationOf(memberId)}`),
  )

/** Nobody approves their own, and no profile of whom an ambassadorship ended. */
export const countAmbassadorProfiles = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('ambassador_profile')
      .innerJoin('ambassador', 'ambassador.id', 'ambassador_profile.ambassador_id')
      .select('ambassador_profile.submitted_at as at')
      .where('ambassador_profile.state', '=', sql.lit('submitted'))
      .where('ambassador.ended_at', 'is', null)
      .where('ambassador.member_id', '<>', memberId),
  )

/** Those that the caller may list. */
export const countFailedMails = (db: Tx, scope: MailScope) =>
  countUpTo(
    db,
    db
      .selectFrom('mail')
      .select('mail.created_at as at')
      .where('state', '=', 'failed')
      .where('state', '!=', sql.lit('sent'))
      .$if(scope === 'general', (query) => query.where(isGeneralMail)),
  )

/** Until the end of today, by UTC, and those that are overdue. */
export const countDuePosts = (db: Tx) =>
  countUpTo(
    db,
    db
      .selectFrom('announcement')
      .select('announcement.publish_at as at')
      .where('state', '=', 'scheduled')
      .where('publish_at', '<', sql<Date>`date_trunc('day', now(), 'UTC') + interval '1 day'`),
  )

/** Those that the caller may confirm. */
export const countContentProposals = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('content_release')
      .select('content_release.proposed_at as at')
      .where('ended_at', 'is', null)
      .where('state', '=', 'proposed')
      .where('proposed_by', '<>', memberId),
  )
