import { useEffect } from 'react'
import { listNeedsAttention, type Waiting } from '#contract/console/console-home.ts'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { refreshWhileVisible } from '../../kernel/actions/refresh-while-visible.ts'
import { call, callUnseen, isSessionRefused } from '../../kernel/call/call.ts'
import { onView } from '../../kernel/navigation/view.ts'
import type { RouteName } from '../../kernel/routes/routes.ts'
import { currentSession, type Member, useSession } from '../../kernel/session/session.ts'
import { createStore, useStore } from '../../kernel/state/create-store.ts'
import { mayOpen } from '../can-access.ts'

/** The last answer, and the session that it was given to. */
const held = createStore<{ member: Member | null; at: number; waiting: readonly Waiting[] } | undefined>(
  undefined,
)
let request: { member: Member | null; answer: Promise<Waiting[]> } | undefined

/** Loads what needs attention, for a page. If the session has ended, the member is asked to sign in. */
export async function loadWaiting(): Promise<readonly Waiting[]> {
  try {
    return await loadUnasked()
  } catch (failure) {
    if (!isSessionRefused(failure)) throw failure
    const waiting = await call(listNeedsAttention, {})
    held.set({ member: currentSession().member, at: Date.now(), waiting })
    return waiting
  }
}

/** Loads the same in the background. The home page and the navigation share the request and its answer. */
async function loadUnasked(): Promise<readonly Waiting[]> {
  const { member } = currentSession()
  if (request?.member !== member) request = { member, answer: callUnseen(listNeedsAttention, {}) }
  const { answer } = request
  try {
    const waiting = await answer
    held.set({ member, at: Date.now(), waiting })
    return waiting
  } finally {
    if (request?.answer === answer) request = undefined
  }
}

/** The page on which each kind is handled, or null if another kind of the page counts the same items. */
const pages: Readonly<Record<Waiting['what'], RouteName | null>> = {
  mentions: 'console.mentions',
  identity_unassigned: 'console.identity',
  identity_mine: 'console.identity',
  identity_answered: null,
  identity_second_person: null,
  orders_mine: null,
  orders_ready: null,
  orders_payment_gone: null,
  orders_payment_unexpected: null,
  orders_reported: null,
  orders_disputed: null,
  orders_late: null,
  orders_second_person: null,
  orders_price_withdrawn: null,
  orders_address_withdrawn: null,
  orders_not_payable: null,
  orders_any: 'console.orders',
  conversations_open: 'console.conversations',
  statement_lines: 'console.import',
  withdrawals_open: 'console.withdrawals',
  withdrawals_overdue: null,
  deliveries_due: 'console.deliveries',
  deliveries_overdue: null,
  payouts_second_person: 'console.payouts',
  payouts_unmatched: null,
  sale_proposals: 'console.sale',
  lost_factors: 'console.lostFactors',
  erasures: 'console.members',
  ambassadors: 'console.ambassadors',
  ambassador_profiles: 'console.ambassadorProfiles',
  mails_failed: 'console.mails',
  posts_due: 'console.newsroom',
  content_proposals: 'console.content',
}

export type WaitingCounts = Readonly<Partial<Record<RouteName, number>>>

function countsOf(waiting: readonly Waiting[]): WaitingCounts {
  const counts: Partial<Record<RouteName, number>> = {}
  for (const { what, count } of waiting) {
    const page = pages[what]
    if (page) counts[page] = (counts[page] ?? 0) + count
  }
  return counts
}

/** Counts are loaded again with the next view, and every minute while the page is in use, unless they are younger. */
const freshFor = 30 * SECOND

function refreshCounts(member: Member | null): void {
  const known = held.get()
  if (known?.member === member && Date.now() - known.at < freshFor) return
  // Without counts, the navigation still works.
  loadUnasked().catch(() => undefined)
}

/** The last answer to this member, which is loaded again from time to time. */
export function useLatestWaiting(): readonly Waiting[] | undefined {
  const { member } = useSession()
  const last = useStore(held)
  return last?.member?.id === member?.id ? last?.waiting : undefined
}

/** The number of items that wait on each page. Empty until they are loaded, and if they can't be. */
export function useWaitingCounts(): WaitingCounts {
  const { member } = useSession()
  const latest = useLatestWaiting()
  const isStaff = mayOpen(member, {}) && !member?.needsSecondFactor
  useEffect(() => {
    if (!isStaff) return undefined
    const refresh = () => {
      if (document.visibilityState === 'visible') refreshCounts(member)
    }
    refresh()
    const stopRefreshing = refreshWhileVisible(refresh, MINUTE)
    const stopFollowing = onView(refresh)
    return () => {
      stopRefreshing()
      stopFollowing()
    }
  }, [member, isStaff])
  return isStaff ? countsOf(latest ?? []) : {}
}
