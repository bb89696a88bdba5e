import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { nameOfKey, type ReviewKey } from './review-keys.ts'

/** Whether single-key shortcuts are on: WCAG 2.1.4 requires that they can be switched off. */
export const KeysContext = createContext(true)

type KeyActions = Partial<Record<ReviewKey, (() => void) | undefined>>

const mayRepeat: readonly ReviewKey[] = ['next', 'previous', 'larger', 'smaller']

/** Brackets are typed with AltGr on many keyboards, which is reported as Ctrl and Alt. */
const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')

const fields = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'

/** Runs a shortcut, unless a field has the focus, a dialog is open, or the key belongs to the browser. */
export function useKeys(actions: KeyActions): void {
  const isOn = useContext(KeysContext)
  const current = useRef(actions)
  useLayoutEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCommand(event)) return
      const { target } = event
      if (!(target instanceof Element) || target.closest(fields) || document.querySelector('dialog[open]'))
        return
      const name = nameOfKey(event.key)
      const act = name && current.current[name]
      // Holding a key down must not accept or refuse one photo after another.
      if (!act || (event.repeat && !mayRepeat.includes(name))) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}
