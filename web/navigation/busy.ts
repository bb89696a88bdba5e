import { useSyncExternalStore } from 'react'

let isBusy = false
const listeners = new Set<() => void>()

export function setBusy(next: boolean): void {
  isBusy = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the next page is on its way. */
export const useBusy = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isBusy,
    () => false,
  )
