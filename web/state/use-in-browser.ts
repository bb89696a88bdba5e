import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** What only the browser knows. The server and the first rendering see `onServer`, so that both write the same page. */
export const useInBrowser = <Value>(read: () => Value, onServer: Value): Value =>
  useSyncExternalStore(neverChanges, read, () => onServer)
