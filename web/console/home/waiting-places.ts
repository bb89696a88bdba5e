import type { AttentionItem } from '#contract/console/console-home.ts'
import type { OrderFlag } from '#contract/money/console-orders.ts'
import { lastOverdueDay } from '../deliveries/overdue.ts'
import { listAddress } from '../newsroom/newsroom-address.ts'
import { pathToQueue } from '../../kyc/review/review-address.ts'
import { pathTo, routes } from '../../kernel/routes/routes.ts'

type Place = {
  /** Returns undefined if there is no page for the list. */
  path: () => string | undefined
  /** Its time is a due date, not the start of the wait. */
  isAhead?: true
  /** By default, anyone with the level can take it. */
  group?: Exclude<WaitingGroup, 'open'>
}

/** The reader's own work comes first. */
export const waitingGroups = ['returned', 'mine', 'approval', 'open'] as const
export type WaitingGroup = (typeof waitingGroups)[number]

/** Where each number links: to a list of exactly the counted items. */
export const waitingPlaces: Readonly<Record<AttentionItem, Place>> = {
  mentions: {
    path: () => `${pathTo('console.mentions')}?seen=no`,
    group: 'mine',
  },
  identity_unassigned: {
    path: () => pathToQueue({ assignee: 'available' }),
  },
  identity_mine: {
    path: () => pathToQueue({ assignee: 'me' }),
    group: 'mine',
  },
  identity_answered: {
    path: () => pathToQueue({ assignee: 'me', flag: 'answered' }),
    group: 'returned',
  },
  identity_second_person: {
    path: () => pathToQueue({ flag: 'second_person' }),
    group: 'approval',
  },
  orders_mine: {
    path: () => `${pathTo('console.orders')}?assignee=me&status=pending&waitingFor=me`,
    group: 'mine',
  },
  orders_ready: {
    path: () => ordersWith('ready_to_complete'),
  },
  orders_payment_gone: {
    path: () => ordersWith('payment_gone'),
  },
  orders_payment_unexpected: {
    path: () => ordersWith('payment_unexpected'),
  },
  orders_reported: {
    path: () => ordersWith('payment_reported'),
  },
  orders_disputed: {
    path: () => ordersWith('disputed'),
  },
  orders_late: {
    path: () => ordersWith('reported_late'),
  },
  orders_second_person: {
    path: () => ordersWith('second_person'),
    group: 'approval',
  },
  orders_price_withdrawn: {
    path: () => ordersWith('price_withdrawn', '&status=pending'),
  },
  orders_address_withdrawn: {
    path: () => ordersWith('address_withdrawn', '&status=pending'),
  },
  orders_not_payable: {
    path: () => ordersWith('not_payable'),
  },
  statement_lines: {
    path: () => pathTo('console.import'),
  },
  withdrawals_open: {
    path: () => listAt('/console/withdrawals', 'flag=open&waitingFor=me'),
  },
  withdrawals_overdue: {
    path: () => listAt('/console/withdrawals', 'flag=overdue&waitingFor=me'),
  },
  deliveries_due: {
    path: () => listAt('/console/deliveries', 'state=due&sort=due'),
  },
  deliveries_overdue: {
    path: () => listAt('/console/deliveries', `state=due&to=${lastOverdueDay()}&sort=due`),
  },
  payouts_second_person: {
    path: () => listAt('/console/payouts', 'waitingFor=me'),
    group: 'approval',
  },
  payouts_unmatched: {
    path: () => `${pathTo('console.payouts')}#transfers`,
  },
  sale_proposals: {
    path: () => listAt('/console/sale'),
    group: 'approval',
  },
  conversations_open: {
    path: () => `${pathTo('console.conversations')}?status=open&assignee=answerable`,
  },
  lost_factors: {
    path: () => `${pathTo('console.lostFactors')}?waitingFor=me`,
  },
  erasures: {
    path: () => `${pathTo('console.members')}?waitingFor=me`,
    group: 'approval',
  },
  ambassadors: {
    path: () => `${pathTo('console.ambassadors')}?status=open`,
  },
  ambassador_profiles: {
    path: () => `${pathTo('console.ambassadorProfiles')}?standing=waiting`,
  },
  mails_failed: {
    path: () => listAt('/console/mails', 'state=failed'),
  },
  posts_due: {
    path: () => listAddress({ due: 'today' }),
    isAhead: true,
  },
  content_proposals: {
    path: () => listAt('/console/content', 'waitingFor=me'),
    group: 'approval',
  },
}

const ordersWith = (flag: OrderFlag, also = '') =>
  `${pathTo('console.orders')}?flag=${flag}${also}&waitingFor=me`

function listAt(path: string, query = ''): string | undefined {
  if (!routes.some((route) => route.path === path)) return undefined
  return query ? `${path}?${query}` : path
}
