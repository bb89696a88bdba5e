import { useEffect, useEffectEvent, useState } from 'react'
import { onView } from '../kernel/navigation/view.ts'

/** The address of a page that opens the dialog of one of its actions. */
export const addressOfAction = (path: string, action: string): string =>
  `${path}?${new URLSearchParams({ action })}`

/**
 * Calls `open` for the action that the address asks for. `open` returns whether the page offers it. The page then
 * removes it from the address, so that the dialog does not open again when the page is reloaded.
 */
export function useAskedAction(open: (action: string) => boolean) {
  const look = useEffectEvent(() => {
    const url = new URL(location.href)
    const action = url.searchParams.get('action')
    if (action === null || !open(action)) return
    url.searchParams.delete('action')
    history.replaceState(history.state, '', url)
  })
  useEffect(() => {
    look()
    return onView(() => look())
  }, [])
}

/** The state of an action's dialog, which the address can open, too. */
export function useActionDialog(action: string) {
  const [isOpen, setOpen] = useState(false)
  useAskedAction((asked) => {
    if (asked === action) setOpen(true)
    return asked === action
  })
  return [isOpen, setOpen] as const
}
