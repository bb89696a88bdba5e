import { sql, type SelectQueryBuilder } from 'kysely'
import { waitingCountMax } from '#contract/console/console-home.ts'
import type { OrderFlag } from '#contract/money/console-orders.ts'
import { pageSizeMax } from '#contract/platform/fields.ts'
import type { OrderState } from '#contract/money/orders.ts'
import { erasuresWaitingFor } from '../../people/accounts/erasure-request.queries.ts'
import {
  isOpenApplication,
  isOwnApplicationOf,
} from '../../people/ambassadors/applications/application.queries.ts'
import { openConversationsFor } from '../../people/conversations/console-conversation.queries.ts'
import type { Reader } from '../../people/members/reader.ts'
import { unseenMentionsFor } from '../../people/notes/mention.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isGeneralMail } from '../../platform/mail/console/console-mail.queries.ts'
import type { MailScope } from '../../platform/mail/console/mail-scope.ts'
import type { DB } from '../../platform/db/rows.ts'
import { isPostDue } from '../../publishing/announcements/newsroom/newsroom.queries.ts'
import { listProposalsOfOthers } from '../../publishing/content/editing/release.queries.ts'
import { canApprove } from '../../publishing/content/editing/official-changes.ts'
import { filterCases, type CaseFilter } from '../../people/kyc/review/case.queries.ts'
import { openStates } from '../../people/kyc/kyc.rules.ts'
import type { ApproverRule } from '../../people/members/approver.queries.ts'
import { isOrderWaitingFor, orderFlagConditions } from '../../money/orders/console/console-order.queries.ts'
import { isToResolve } from '../../money/orders/statements/returned-payment.queries.ts'
import { isWithdrawalWaitingFor } from '../../money/orders/withdrawals/console-withdrawal.queries.ts'
import { openStates as openWithdrawals } from '../../money/orders/withdrawals/withdrawal.rules.ts'
import { isInState } from '../../money/deliveries/delivery-state.queries.ts'
import { isRunWaitingFor } from '../../money/payouts/payout.queries.ts'
import { unexplainedSince } from '../../money/payouts/transfer.queries.ts'
import { findOpenProposal } from '../../money/sale/sale-proposal.queries.ts'
import { isLostFactorWaitingFor } from '../../people/sessions/lost-factors/lost-factor.queries.ts'

export type Count = { count: number; oldestAt: Date | null }

/** The items to count, each with the time since when it waits, sorted by an index of its own. */
type Waiting = SelectQueryBuilder<DB, keyof DB, { at: Date | null }>

const countedMax = waitingCountMax + 1

/** Counts up to a limit beyond which the number no longer matters, so that it reads a limited number of rows. */
async function countUpTo(db: Tx, query: Waiting): Promise<Count> {
  const { rows } = await sql<Count>`
    select count(*)::int as count, min(at) as "oldestAt"
    from (${query.orderBy('at').limit(countedMax)}) waiting`.execute(db)
  return rows[0]!
}

const openCases = (db: Tx, memberId: string, filter: Omit<CaseFilter, 'exceptOf'>) =>
  countUpTo(
    db,
    filterCases(db, { states: openStates, exceptOf: memberId, ...filter })
      .clearSelect()
      .select('kyc_application.waiting_since as at'),
  )

export const countAvailableCases = (db: Tx, memberId: string) =>
  openCases(db, memberId, { assigneeId: null, notProposedBy: memberId })

export const countOwnCases = (db: Tx, memberId: string) => openCases(db, memberId, { assigneeId: memberId })

/** Counts the caller's cases that the applicant has answered. */
export const countAnsweredCases = (db: Tx, memberId: string) =>
  openCases(db, memberId, { assigneeId: memberId, flag: 'answered' })

/** Counts cases in which a colleague proposed a decision. */
export const countProposedCases = (db: Tx, memberId: string) =>
  openCases(db, memberId, { flag: 'second_person' })

/** Orders with a flag or, without one, orders that are assigned to the caller. */
export type FlaggedOrders = { flag?: OrderFlag; status?: OrderState }

/** Selects the orders among them that the caller can act on. */
const flaggedOrders = (db: Tx, memberId: string, { flag, status }: FlaggedOrders) =>
  db
    .selectFrom('token_order')
    .select('token_order.created_at as at')
    .where(flag ? orderFlagConditions[flag] : sql<boolean>`token_order.assignee_id = ${memberId}`)
    .where(isOrderWaitingFor(memberId))
    .$if(status !== undefined, (query) => query.where('token_order.status', '=', status!))

export const countOrders = (db: Tx, memberId: string, orders: FlaggedOrders) =>
  countUpTo(db, flaggedOrders(db, memberId, orders))

/** Counts orders with any of the flags, each once. Each flag has an index of its own, which is read up to the limit. */
export async function countFlaggedOrders(
  db: Tx,
  memberId: string,
  flags: readonly FlaggedOrders[],
): Promise<Count> {
  const parts = flags.map(
    (orders) =>
      sql`(${flaggedOrders(db, memberId, orders).select('token_order.id').orderBy('at').limit(countedMax)})`,
  )
  const { rows } = await sql<Count>`
    select count(*)::int as count, min(at) as "oldestAt"
    from (${sql.join(parts, sql` union `)} order by at limit ${countedMax}) waiting`.execute(db)
  return rows[0]!
}

const withdrawals = (db: Tx, memberId: string) =>
  db
    .selectFrom('order_withdrawal')
    .innerJoin('token_order', 'token_order.id', 'order_withdrawal.order_id')
    .where('order_withdrawal.state', 'in', openWithdrawals)
    .where(isWithdrawalWaitingFor(memberId))

export const countOpenWithdrawals = (db: Tx, memberId: string) =>
  countUpTo(db, withdrawals(db, memberId).select('order_withdrawal.requested_at as at'))

/** Counts withdrawals whose legal refund deadline has passed. */
export const countOverdueWithdrawals = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    withdrawals(db, memberId)
      .select('order_withdrawal.refund_before as at')
      .where('refund_before', '<=', sql<Date>`now()`),
  )

export const dueDeliveries = (db: Tx) =>
  db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .select('delivery.due_at as at')
    .where(isInState('due'))

/** Counts deliveries that can be frozen into a payout run. */
export const countDueDeliveries = (db: Tx) => countUpTo(db, dueDeliveries(db))

/** Counts those among them that became due on a day (UTC) more than a week ago. */
export const countOverdueDeliveries = (db: Tx) =>
  countUpTo(
    db,
    dueDeliveries(db).where(
      'delivery.due_at',
      '<',
      sql<Date>`(date_trunc('day', now() at time zone 'UTC') - interval '7 days') at time zone 'UTC'`,
    ),
  )

/** Counts payout runs that the officer can approve or cancel as the second one. */
export const countPayoutsForSecond = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('payout_run')
      .select(sql<Date>`coalesce(payout_run.cancel_proposed_at, payout_run.frozen_at)`.as('at'))
      .where(isRunWaitingFor(memberId)),
  )

/** Counts transfers of the treasury that no one has assigned or dismissed yet. */
export const countUnmatchedTransfers = (db: Tx) => countUpTo(db, unexplainedSince(db))

/** Counts statement lines that no one has assigned or dismissed yet. */
export const countOpenStatementLines = (db: Tx) =>
  countUpTo(
    db,
    db
      .selectFrom('statement_line')
      .select('statement_line.imported_at as at')
      .where('statement_line.state', '=', sql.lit('open'))
      .where(isToResolve),
  )

/** Counts the open proposal, of which there is at most one; its author can't approve it. */
export async function countSaleProposals(
  db: Tx,
  memberId: string,
  config: Pick<Config, 'isStaffSecondFactorRequired'>,
): Promise<Count> {
  const proposal = await findOpenProposal(db, config)
  if (!proposal || proposal.proposed_by === memberId) return { count: 0, oldestAt: null }
  return { count: 1, oldestAt: proposal.proposed_at }
}

export const countLostFactors = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db.selectFrom('lost_factor').select('lost_factor.asked_at as at').where(isLostFactorWaitingFor(memberId)),
  )

export const countErasures = (db: Tx, memberId: string, rule: ApproverRule) =>
  countUpTo(db, erasuresWaitingFor(db, rule, memberId).select('erasure_request.opened_at as at'))

/** Counts applications other than the reader's own. */
export const countAmbassadorApplications = (db: Tx, memberId: string) =>
  countUpTo(
    db,
    db
      .selectFrom('ambassador_application')
      .select('ambassador_application.created_at as at')
      .where(isOpenApplication)
      .where(sql<boolean>`not ${isOwnApplicationOf(memberId)}`),
  )

/** Counts profiles other than the reader's own and those of former ambassadors. */
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

/** Counts failed emails that the caller may list. */
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

/** Counts mentions of the reader that they have not seen. */
export const countMentions = (db: Tx, reader: Reader) => countUpTo(db, unseenMentionsFor(db, reader))

export const countOpenConversations = (db: Tx, reader: Reader) =>
  countUpTo(db, openConversationsFor(db, reader))

export const countDuePosts = (db: Tx) =>
  countUpTo(
    db,
    db.selectFrom('announcement').select('announcement.publish_at as at').where(isPostDue('announcement')),
  )

/** Counts at most as many as the list shows at once, because each is checked for whether the caller may approve it. */
export async function countContentProposals(db: Tx, memberId: string, config: ApproverRule): Promise<Count> {
  const { rows } = await listProposalsOfOthers(db, memberId, { limit: pageSizeMax })
  const mine = []
  for (const row of rows) if (await canApprove(db, config, row, memberId)) mine.push(row)
  return { count: mine.length, oldestAt: mine.at(-1)?.proposed_at ?? null }
}
