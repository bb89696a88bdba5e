import type { PlainKey } from '../i18n/message-key.ts'
import type { RouteName } from '../routes/routes.ts'

type ScreenGroup = { heading: PlainKey | null; entries: readonly RouteName[] }

/** Every page in the side navigation. Pages of single items are reached from their lists. */
export const screenGroups: readonly ScreenGroup[] = [
  { heading: null, entries: ['console.home'] },
  {
    heading: 'console.nav.people',
    entries: [
      'console.members',
      'console.identity',
      'console.lostFactors',
      'console.ambassadors',
      'console.ambassadorProfiles',
    ],
  },
  {
    heading: 'console.nav.money',
    entries: [
      'console.orders',
      'console.withdrawals',
      'console.sale',
      'console.saleHistory',
      'console.appRecord',
    ],
  },
  {
    heading: 'console.nav.site',
    entries: ['console.newsroom', 'console.subscribers', 'console.content', 'console.official'],
  },
  { heading: 'console.nav.machines', entries: ['console.apiTokens', 'console.webhooks'] },
  {
    heading: 'console.nav.operation',
    entries: ['console.mails', 'console.record', 'console.health'],
  },
]
