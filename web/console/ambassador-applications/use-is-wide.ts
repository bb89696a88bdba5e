import { useSyncExternalStore } from 'react'

/** The width of four columns next to the navigation. */
const query = '(min-width: 70rem)'

function subscribe(onChange: () => void): () => void {
  const wide = matchMedia(query)
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** The server has no window, but it renders console pages only as shells. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
