import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readItem, writeItem } from '../state/browser-storage.ts'

const stored = '_reviewKeys'

/** Whether single-key shortcuts are on: WCAG 2.1.4 requires that they can be switched off. */
export function useShortcutSwitch(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readItem('localStorage', stored) !== 'off')
  const change = (next: boolean) => {
    writeItem('localStorage', stored, next ? null : 'off')
    setOn(next)
  }
  return [isOn, change]
}

/** Brackets are typed with AltGr on many keyboards, which is reported as Ctrl and Alt. */
const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')

const fields = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'

/**
 * Runs the action of a key, unless a field has the focus, a dialog is open, or the key belongs to the browser.
 * `isRepeat`: the key is held down.
 */
export function useShortcuts(
  isOn: boolean,
  actionOf: (key: string, isRepeat: boolean) => (() => void) | undefined,
): void {
  const current = useRef(actionOf)
  useLayoutEffect(() => {
    current.current = actionOf
  })
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCommand(event)) return
      const { target } = event
      if (!(target instanceof Element) || target.closest(fields) || document.querySelector('dialog[open]'))
        return
      const act = current.current(event.key, event.repeat)
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}
