import type { WaitingThing } from '#contract/console-home.ts'
import { listAddress } from '../../announcements/newsroom/newsroom-address.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { pathToQueue, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../routes/routes.ts'

type Place = {
  label: PlainKey
  /** None where no list of the console has them yet. */
  path?: () => string
  /** Its time is when it is due, not since when it waits. */
  isAhead?: true
}

/** Where each number leads: the list that shows exactly what was counted. */
export const waitingPlaces: Readonly<Record<WaitingThing, Place>> = {
  identity_unassigned: {
    label: 'consoleHome.waiting.identityUnassigned',
    path: () => pathToQueue({ ...wholeQueue, assignee: 'nobody' }),
  },
  identity_mine: {
    label: 'consoleHome.waiting.identityMine',
    path: () => pathToQueue({ ...wholeQueue, assignee: 'me' }),
  },
  orders_reported: { label: 'consoleHome.waiting.ordersReported' },
  orders_disputed: { label: 'consoleHome.waiting.ordersDisputed' },
  orders_late: { label: 'consoleHome.waiting.ordersLate' },
  lost_factors: {
    label: 'consoleHome.waiting.lostFactors',
    path: () => pathTo('console.lostFactors'),
  },
  ambassadors: { label: 'consoleHome.waiting.ambassadors' },
  mails_failed: { label: 'consoleHome.waiting.mailsFailed' },
  posts_due: {
    label: 'consoleHome.waiting.postsDue',
    path: () => listAddress('scheduled'),
    isAhead: true,
  },
}
