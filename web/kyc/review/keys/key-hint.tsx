import { useContext } from 'react'
import { KeysContext } from './use-keys.ts'
import { reviewKeys, type ReviewKey } from './review-keys.ts'
import styles from '../../../kernel/shortcuts/shortcuts.module.css'

/** Shows an action's shortcut if shortcuts are on and there is a keyboard. Screen readers use `aria-keyshortcuts`. */
export function KeyHint({ of }: { of: ReviewKey }) {
  const isOn = useContext(KeysContext)
  if (!isOn) return null
  return (
    <kbd className={styles.hint} aria-hidden="true">
      {reviewKeys[of].key}
    </kbd>
  )
}

/** Returns the attribute value for the element that performs the shortcut's action. */
export function useKeyShortcut(): (of: ReviewKey) => string | undefined {
  const isOn = useContext(KeysContext)
  return (of) => (isOn ? reviewKeys[of].key : undefined)
}
