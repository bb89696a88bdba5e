import type { api } from '#contract/api.ts'
import { type AttentionItem, type Waiting, waitingKinds } from '#contract/console/console-home.ts'
import type { StaffRight } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { readerOf } from '../../people/conversations/read-console-conversations.ts'
import { scopeOf } from '../../platform/mail/console/mail-scope.ts'
import {
  countAmbassadorApplications,
  countAmbassadorProfiles,
  countAvailableCases,
  countContentProposals,
  countDuePosts,
  countFailedMails,
  countLostFactors,
  countOpenConversations,
  countOpenStatementLines,
  countOpenWithdrawals,
  countFlaggedOrders,
  countOrders,
  countOverdueWithdrawals,
  countOwnCases,
  countSaleProposals,
  type Count,
  type FlaggedOrders,
} from './waiting.queries.ts'

type Source = {
  level: StaffRight
  atLeast: 1 | 2
  /** Only counted and shown if a chain is monitored. */
  ofChains?: true
  count: (db: Tx, memberId: string, context: Pick<MemberContext, 'caller' | 'config'>) => Promise<Count>
}

type OrderItem = Extract<AttentionItem, `orders_${string}`>
type OrderSource = FlaggedOrders & Pick<Source, 'ofChains'>

const orderSources: Readonly<Record<OrderItem, OrderSource>> = {
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
  count: (db, id) => countOrders(db, id, orders),
})

/** Each source with the right needed to act on it, which is more than its list requires. */
const sources: Readonly<Record<Waiting['what'], Source>> = {
  identity_unassigned: { level: 'finance', atLeast: 2, count: countAvailableCases },
  identity_mine: { level: 'finance', atLeast: 2, count: countOwnCases },
  ...(Object.fromEntries(
    Object.entries(orderSources).map(([what, source]) => [what, sourceOfOrders(source)]),
  ) as Record<OrderItem, Source>),
  orders_any: {
    level: 'finance',
    atLeast: 2,
    count: (db, id, { config }) =>
      countFlaggedOrders(
        db,
        id,
        Object.values(orderSources).filter((source) => isCounted(source, config)),
      ),
  },
  statement_lines: { level: 'finance', atLeast: 2, count: countOpenStatementLines },
  withdrawals_open: { level: 'finance', atLeast: 2, count: countOpenWithdrawals },
  withdrawals_overdue: { level: 'finance', atLeast: 2, count: countOverdueWithdrawals },
  sale_proposals: {
    level: 'coins',
    atLeast: 2,
    count: (db, id, { config }) => countSaleProposals(db, id, config),
  },
  conversations_open: {
    level: 'support',
    atLeast: 2,
    count: (db, _, { caller }) => countOpenConversations(db, readerOf(caller)),
  },
  lost_factors: { level: 'employee', atLeast: 2, count: countLostFactors },
  ambassadors: { level: 'employee', atLeast: 2, count: countAmbassadorApplications },
  ambassador_profiles: { level: 'employee', atLeast: 2, count: countAmbassadorProfiles },
  mails_failed: {
    level: 'employee',
    atLeast: 2,
    count: (db, _, { caller }) => countFailedMails(db, scopeOf(caller)),
  },
  posts_due: { level: 'news', atLeast: 2, count: countDuePosts },
  content_proposals: {
    level: 'news',
    atLeast: 2,
    count: (db, id, { config }) => countContentProposals(db, id, config),
  },
}

export const listNeedsAttention: Handler<typeof api.listNeedsAttention> = (_, { db, caller, config }) =>
  Promise.all(
    waitingKinds
      .filter((what) => {
        const { level, atLeast } = sources[what]
        return levelOf(caller.rights, level) >= atLeast && isCounted(sources[what], config)
      })
      .map(async (what) => {
        const { count, oldestAt } = await sources[what].count(db, caller.memberId, { caller, config })
        return { what, count, oldestAt: oldestAt?.toISOString() ?? null }
      }),
  )
