import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { nameOfKey, type ReviewKey } from './review-keys.ts'

/** Whether single keys do something: WCAG 2.1.4 asks that they can be switched off. */
export const KeysContext = createContext(true)

export type KeyActions = Partial<Record<ReviewKey, (() => void) | undefined>>

const fields = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'

/** Runs what stands for a key, unless somebody types, a dialog is open, or the key belongs to the browser. */
export function useKeys(actions: KeyActions): void {
  const isOn = useContext(KeysContext)
  const current = useRef(actions)
  useLayoutEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (!(target instanceof Element) || target.closest(fields) || document.querySelector('dialog[open]'))
        return
      const name = nameOfKey(event.key)
      const act = name && current.current[name]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}
