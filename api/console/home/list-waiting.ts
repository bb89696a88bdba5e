import type { api } from '#contract/api.ts'
import { type AttentionItem, type Waiting, waitingKinds } from '#contract/console/console-home.ts'
import type { StaffRight } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { findNotifications, saveSeen } from './notification.queries.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { readerOf } from '../../people/members/reader.ts'
import { scopeOf } from '../../platform/mail/console/mail-scope.ts'
import {
  countAmbassadorApplications,
  countAnsweredCases,
  countProposedCases,
  countAmbassadorProfiles,
  countAvailableCases,
  countContentProposals,
  countDuePosts,
  countErasures,
  countFailedMails,
  countMentions,
  countLostFactors,
  countOpenConversations,
  countOpenStatementLines,
  countOpenWithdrawals,
  countFlaggedOrders,
  countOrders,
  countOverdueWithdrawals,
  countOwnCases,
  countDueDeliveries,
  countOverdueDeliveries,
  countPayoutsForSecond,
  countUnmatchedTransfers,
  countSaleProposals,
  type Count,
  type FlaggedOrders,
} from './waiting.queries.ts'

type Source = {
  level: StaffRight
  atLeast: 1 | 2
  /** Only counted and shown if a chain is monitored. */
  ofChains?: true
  count: (db: Tx, reader: Reader, config: Config) => Promise<Count>
}

type OrderItem = Extract<AttentionItem, `orders_${string}`>
type OrderSource = FlaggedOrders & Pick<Source, 'ofChains'>

const orderSources: Readonly<Record<OrderItem, OrderSource>> = {
  orders_mine: { status: 'pending' },
  orders_ready: { flag: 'ready_to_complete', ofChains: true },
  orders_payment_gone: { flag: 'payment_gone', ofChains: true },
  orders_payment_unexpected: { flag: 'payment_unexpected', ofChains: true },
  orders_reported: { flag: 'payment_reported' },
  orders_disputed: { flag: 'disputed' },
  orders_late: { flag: 'reported_late' },
  orders_second_person: { flag: 'second_person' },
  orders_price_withdrawn: { flag: 'price_withdrawn', status: 'pending' },
  orders_address_withdrawn: { flag: 'address_withdrawn', status: 'pending' },
  orders_not_payable: { flag: 'not_payable' },
}

const isCounted = ({ ofChains }: Pick<Source, 'ofChains'>, { chains }: Pick<Config, 'chains'>): boolean =>
  !ofChains || chains.length > 0

const sourceOfOrders = ({ ofChains, ...orders }: OrderSource): Source => ({
  level: 'finance',
  atLeast: 2,
  ...(ofChains && { ofChains }),
  count: (db, { memberId }) => countOrders(db, memberId, orders),
})

const byMember =
  (count: (db: Tx, memberId: string) => Promise<Count>): Source['count'] =>
  (db, { memberId }) =>
    count(db, memberId)

/** Each source with the right needed to act on it, which is more than its list requires. */
const sources: Readonly<Record<Waiting['what'], Source>> = {
  mentions: { level: 'any', atLeast: 1, count: (db, reader) => countMentions(db, readerOf(reader)) },
  identity_unassigned: { level: 'finance', atLeast: 2, count: byMember(countAvailableCases) },
  identity_mine: { level: 'finance', atLeast: 2, count: byMember(countOwnCases) },
  identity_answered: { level: 'finance', atLeast: 2, count: byMember(countAnsweredCases) },
  identity_second_person: { level: 'finance', atLeast: 2, count: byMember(countProposedCases) },
  ...(Object.fromEntries(
    Object.entries(orderSources).map(([what, source]) => [what, sourceOfOrders(source)]),
  ) as Record<OrderItem, Source>),
  orders_any: {
    level: 'finance',
    atLeast: 2,
    count: (db, { memberId }, config) =>
      countFlaggedOrders(
        db,
        memberId,
        Object.values(orderSources).filter((source) => isCounted(source, config)),
      ),
  },
  statement_lines: { level: 'finance', atLeast: 2, count: countOpenStatementLines },
  withdrawals_open: { level: 'finance', atLeast: 2, count: byMember(countOpenWithdrawals) },
  withdrawals_overdue: { level: 'finance', atLeast: 2, count: byMember(countOverdueWithdrawals) },
  deliveries_due: { level: 'finance', atLeast: 2, count: (db) => countDueDeliveries(db) },
  deliveries_overdue: { level: 'finance', atLeast: 2, count: (db) => countOverdueDeliveries(db) },
  payouts_second_person: { level: 'finance', atLeast: 2, count: byMember(countPayoutsForSecond) },
  payouts_unmatched: { level: 'finance', atLeast: 2, count: countUnmatchedTransfers },
  sale_proposals: {
    level: 'coins',
    atLeast: 2,
    count: (db, { memberId }, config) => countSaleProposals(db, memberId, config),
  },
  conversations_open: {
    level: 'support',
    atLeast: 2,
    count: (db, reader) => countOpenConversations(db, readerOf(reader)),
  },
  lost_factors: { level: 'employee', atLeast: 2, count: byMember(countLostFactors) },
  erasures: {
    level: 'employee',
    atLeast: 2,
    count: (db, { memberId }, config) => countErasures(db, memberId, config),
  },
  ambassadors: { level: 'employee', atLeast: 2, count: byMember(countAmbassadorApplications) },
  ambassador_profiles: { level: 'employee', atLeast: 2, count: byMember(countAmbassadorProfiles) },
  mails_failed: {
    level: 'employee',
    atLeast: 2,
    count: (db, reader) => countFailedMails(db, scopeOf(reader)),
  },
  posts_due: { level: 'news', atLeast: 2, count: countDuePosts },
  content_proposals: {
    level: 'news',
    atLeast: 2,
    count: (db, { memberId }, config) => countContentProposals(db, memberId, config),
  },
}

type Reader = Pick<Caller, 'memberId' | 'rights'>

/** Counts what awaits a staff member, limited to their levels. */
export const countWaiting = ({ db, config }: Pick<MemberContext, 'config'> & { db: Tx }, reader: Reader) =>
  Promise.all(
    waitingKinds
      .filter((what) => {
        const { level, atLeast } = sources[what]
        return levelOf(reader.rights, level) >= atLeast && isCounted(sources[what], config)
      })
      .map(async (what) => ({ what, ...(await sources[what].count(db, reader, config)) })),
  )

export const listNeedsAttention: Handler<typeof api.listNeedsAttention> = async (
  _,
  { db, caller, config },
) => {
  const { muted, seen, readAt } = await findNotifications(db, caller.memberId)
  const counts = await countWaiting({ db, config }, caller)
  // Items that were handled make room for new ones, which must be noticed.
  const fewer = counts.filter(({ what, count }) => count < (seen[what] ?? 0))
  if (fewer.length > 0)
    await saveSeen(db, caller.memberId, {
      seen: { ...seen, ...Object.fromEntries(fewer.map(({ what, count }) => [what, count])) },
      seenAt: readAt,
    })
  return counts.map(({ what, count, oldestAt }) => ({
    what,
    count,
    oldestAt: oldestAt?.toISOString() ?? null,
    isNew: what !== 'orders_any' && count > (seen[what] ?? 0),
    isMuted: muted.includes(what),
  }))
}
