import type { AttentionItem } from '#contract/console/console-home.ts'
import type { OrderFlag } from '#contract/money/console-orders.ts'
import { listAddress } from '../../announcements/newsroom/newsroom-address.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { pathToQueue, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo, routes } from '../../kernel/routes/routes.ts'

type Place = {
  label: PlainKey
  /** Returns undefined if there is no page for the list. */
  path: () => string | undefined
  /** Its time is a due date, not the start of the wait. */
  isAhead?: true
}

/** Where each number links: to a list of exactly the counted items. */
export const waitingPlaces: Readonly<Record<AttentionItem, Place>> = {
  identity_unassigned: {
    label: 'consoleHome.waiting.identityUnassigned',
    path: () => pathToQueue({ ...wholeQueue, assignee: 'available' }),
  },
  identity_mine: {
    label: 'consoleHome.waiting.identityMine',
    path: () => pathToQueue({ ...wholeQueue, assignee: 'me' }),
  },
  orders_ready: {
    label: 'consoleHome.waiting.ordersReady',
    path: () => ordersWith('ready_to_complete'),
  },
  orders_payment_gone: {
    label: 'consoleHome.waiting.ordersPaymentGone',
    path: () => ordersWith('payment_gone'),
  },
  orders_payment_unexpected: {
    label: 'consoleHome.waiting.ordersPaymentUnexpected',
    path: () => ordersWith('payment_unexpected'),
  },
  orders_reported: {
    label: 'consoleHome.waiting.ordersReported',
    path: () => ordersWith('payment_reported'),
  },
  orders_disputed: {
    label: 'consoleHome.waiting.ordersDisputed',
    path: () => ordersWith('disputed'),
  },
  orders_late: {
    label: 'consoleHome.waiting.ordersLate',
    path: () => ordersWith('reported_late'),
  },
  orders_second_person: {
    label: 'consoleHome.waiting.ordersSecondPerson',
    path: () => ordersWith('second_person'),
  },
  orders_price_withdrawn: {
    label: 'consoleHome.waiting.ordersPriceWithdrawn',
    path: () => ordersWith('price_withdrawn', '&status=pending'),
  },
  orders_address_withdrawn: {
    label: 'consoleHome.waiting.ordersAddressWithdrawn',
    path: () => ordersWith('address_withdrawn', '&status=pending'),
  },
  orders_not_payable: {
    label: 'consoleHome.waiting.ordersNotPayable',
    path: () => ordersWith('not_payable'),
  },
  statement_lines: {
    label: 'consoleHome.waiting.statementLines',
    path: () => pathTo('console.import'),
  },
  withdrawals_open: {
    label: 'consoleHome.waiting.withdrawalsOpen',
    path: () => listAt('/console/withdrawals', 'flag=open&waitingFor=me'),
  },
  withdrawals_overdue: {
    label: 'consoleHome.waiting.withdrawalsOverdue',
    path: () => listAt('/console/withdrawals', 'flag=overdue&waitingFor=me'),
  },
  sale_proposals: { label: 'consoleHome.waiting.saleProposals', path: () => listAt('/console/sale') },
  conversations_open: {
    label: 'consoleHome.waiting.conversations',
    path: () => `${pathTo('console.conversations')}?status=open&assignee=answerable`,
  },
  lost_factors: {
    label: 'consoleHome.waiting.lostFactors',
    path: () => `${pathTo('console.lostFactors')}?waitingFor=me`,
  },
  ambassadors: {
    label: 'consoleHome.waiting.ambassadors',
    path: () => `${pathTo('console.ambassadors')}?status=open`,
  },
  ambassador_profiles: {
    label: 'consoleHome.waiting.ambassadorProfiles',
    path: () => `${pathTo('console.ambassadorProfiles')}?standing=waiting`,
  },
  mails_failed: {
    label: 'consoleHome.waiting.mailsFailed',
    path: () => listAt('/console/mails', 'state=failed'),
  },
  posts_due: {
    label: 'consoleHome.waiting.postsDue',
    path: () => listAddress('due'),
    isAhead: true,
  },
  content_proposals: {
    label: 'consoleHome.waiting.contentProposals',
    path: () => listAt('/console/content', 'waitingFor=me'),
  },
}

const ordersWith = (flag: OrderFlag, also = '') =>
  `${pathTo('console.orders')}?flag=${flag}${also}&waitingFor=me`

function listAt(path: string, query = ''): string | undefined {
  if (!routes.some((route) => route.path === path)) return undefined
  return query ? `${path}?${query}` : path
}
