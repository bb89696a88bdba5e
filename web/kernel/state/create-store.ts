import { useSyncExternalStore } from 'react'

/** A value that outlives the components that show it, and that code outside React can change. */
export type Store<Value> = {
  get: () => Value
  set: (next: Value) => void
  /** Calls the listener after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
  /** The value on the server, and in the browser while hydrating. */
  first: Value
}

export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    first,
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const useStore = <Value>({ subscribe, get, first }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get, () => first)
