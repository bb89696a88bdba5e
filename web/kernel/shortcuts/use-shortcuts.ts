import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readItem, writeItem } from '../state/browser-storage.ts'

const stored = '_reviewKeys'

/** Whether single-key shortcuts are on: WCAG 2.1.4 requires that they can be switched off. */
export const areShortcutsOn = (): boolean => readItem('localStorage', stored) !== 'off'

export function useShortcutSwitch(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(areShortcutsOn)
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

/** Whether a key press can run an action: no field has the focus, no dialog is open, and the browser doesn't use it. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isCommand(event)) return false
  const { target } = event
  return target instanceof Element && !target.closest(fields) && !document.querySelector('dialog[open]')
}

/** Runs the action of a key. `isRepeat`: the key is held down. */
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
      if (!isShortcut(event)) return
      const act = current.current(event.key, event.repeat)
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}
