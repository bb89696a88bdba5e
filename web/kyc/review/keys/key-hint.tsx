import { useContext } from 'react'
import { KeysContext } from './use-keys.ts'
import { reviewKeys, type ReviewKey } from './review-keys.ts'
import styles from './keys.module.css'

/** The key beside what it does, where keys are on and there is a keyboard. Readers hear it from `aria-keyshortcuts`. */
export function KeyHint({ of }: { of: ReviewKey }) {
  const isOn = useContext(KeysContext)
  if (!isOn) return null
  return (
    <kbd className={styles.hint} aria-hidden="true">
      {reviewKeys[of].key}
    </kbd>
  )
}

/** For the element that does what the key does. */
export function useKeyShortcut(): (of: ReviewKey) => string | undefined {
  const isOn = useContext(KeysContext)
  return (of) => (isOn ? reviewKeys[of].key : undefined)
}
