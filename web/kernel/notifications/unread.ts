import { useEffect } from 'react'
import { MINUTE } from '#contract/platform/durations.ts'
import { countUnreadNotifications } from '#contract/platform/notifications.ts'
import { refreshWhileVisible } from '../actions/refresh-while-visible.ts'
import { callUnseen } from '../call/call.ts'
import { currentSession, useSession } from '../session/session.ts'
import { createStore, useStore } from '../state/create-store.ts'

/** The last response, and the member whom it is for. */
const held = createStore<{ memberId: string | undefined; unread: number } | undefined>(undefined)

/** Loads the number in the background: if the session has ended, it fails without asking for a sign-in. */
export async function loadUnread(): Promise<void> {
  const memberId = currentSession().member?.id
  const { unread } = await callUnseen(countUnreadNotifications, {})
  held.set({ memberId, unread })
}

/** The member's number of unread notifications at the last request; 0 before the first response. */
export function useUnread(): number {
  const memberId = useSession().member?.id
  const last = useStore(held)
  return last !== undefined && last.memberId === memberId ? last.unread : 0
}

/** Requests the number now and every minute while the page is visible and in use. */
export function useUnreadRefresh(): void {
  const memberId = useSession().member?.id
  useEffect(() => {
    if (memberId === undefined) return undefined
    // Without the number, the navigation still works.
    const refresh = () => void loadUnread().catch(() => undefined)
    refresh()
    return refreshWhileVisible(refresh, MINUTE)
  }, [memberId])
}
