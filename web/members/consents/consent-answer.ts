import { useSyncExternalStore } from 'react'

type Answer = { memberId: string | undefined; isAccepted: boolean }

let answer: Answer = { memberId: undefined, isAccepted: false }
const listeners = new Set<() => void>()

/** Remembers that this member was asked, so that the next page does not ask again. */
export function settle(memberId: string, isAccepted: boolean): void {
  answer = { memberId, isAccepted }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How this tab was answered since it was loaded. */
export const useConsentAnswer = (): Answer =>
  useSyncExternalStore(
    subscribe,
    () => answer,
    () => answer,
  )
