import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** A value that only the browser knows. The server and hydration use `onServer`, so that both render the same page. */
export const useInBrowser = <Value>(read: () => Value, onServer: Value): Value =>
  useSyncExternalStore(neverChanges, read, () => onServer)
