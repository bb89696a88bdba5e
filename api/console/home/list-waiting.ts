import type { api } from '#contract/api.ts'
import { attentionItems, type AttentionItem } from '#contract/console/console-home.ts'
import type { StaffRight } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { scopeOf } from '../../platform/mail/console/mail-scope.ts'
import {
  countAmbassadorApplications,
  countAmbassadorProfiles,
  countAvailableCases,
  countContentProposals,
  countDuePosts,
  countFailedMails,
  countLostFactors,
  countOpenStatementLines,
  countOpenWithdrawals,
  countOrders,
  countOverdueWithdrawals,
  countOwnCases,
  countSaleProposals,
  type Count,
} from './waiting.queries.ts'

type Source = {
  level: StaffRight
  atLeast: 1 | 2
  /** Only counted and shown if a chain is monitored. */
  ofChains?: true
  count: (db: Tx, memberId: string, context: Pick<MemberContext, 'caller' | 'config'>) => Promise<Count>
}

/** Each source with the right needed to act on it, which is more than its list requires. */
const sources: Readonly<Record<AttentionItem, Source>> = {
  identity_unassigned: { level: 'finance', atLeast: 2, count: countAvailableCases },
  identity_mine: { level: 'finance', atLeast: 2, count: countOwnCases },
  orders_ready: { level: 'finance', atLeast: 2, ofChains: true, count: countOrders('ready_to_complete') },
  orders_payment_gone: { level: 'finance', atLeast: 2, ofChains: true, count: countOrders('payment_gone') },
  orders_payment_unexpected: {
    level: 'finance',
    atLeast: 2,
    ofChains: true,
    count: countOrders('payment_unexpected'),
  },
  orders_reported: { level: 'finance', atLeast: 2, count: countOrders('payment_reported') },
  orders_disputed: { level: 'finance', atLeast: 2, count: countOrders('disputed') },
  orders_late: { level: 'finance', atLeast: 2, count: countOrders('reported_late') },
  orders_second_person: { level: 'finance', atLeast: 2, count: countOrders('second_person') },
  orders_price_withdrawn: { level: 'finance', atLeast: 2, count: countOrders('price_withdrawn', 'pending') },
  orders_address_withdrawn: {
    level: 'finance',
    atLeast: 2,
    count: countOrders('address_withdrawn', 'pending'),
  },
  orders_not_payable: { level: 'finance', atLeast: 2, count: countOrders('not_payable') },
  statement_lines: { level: 'finance', atLeast: 2, count: countOpenStatementLines },
  withdrawals_open: { level: 'finance', atLeast: 2, count: countOpenWithdrawals },
  withdrawals_overdue: { level: 'finance', atLeast: 2, count: countOverdueWithdrawals },
  sale_proposals: {
    level: 'coins',
    atLeast: 2,
    count: (db, id, { config }) => countSaleProposals(db, id, config),
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
    attentionItems
      .filter((what) => {
        const { level, atLeast, ofChains } = sources[what]
        return levelOf(caller.rights, level) >= atLeast && (!ofChains || config.chains.length > 0)
      })
      .map(async (what) => {
        const { count, oldestAt } = await sources[what].count(db, caller.memberId, { caller, config })
        return { what, count, oldestAt: oldestAt?.toISOString() ?? null }
      }),
  )
