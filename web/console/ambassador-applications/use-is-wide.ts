import { useSyncExternalStore } from 'react'

/** As wide as four columns beside the navigation need. */
const query = '(min-width: 70rem)'

function subscribe(onChange: () => void): () => void {
  const wide = matchMedia(query)
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** On the server there is no window: pages of the console come as shells. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
