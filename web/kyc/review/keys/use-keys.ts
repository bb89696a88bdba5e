import { createContext, useContext } from 'react'
import { useShortcuts } from '../../../kernel/shortcuts/use-shortcuts.ts'
import { nameOfKey, type ReviewKey } from './review-keys.ts'

/** Whether single-key shortcuts are on. */
export const KeysContext = createContext(true)

type KeyActions = Partial<Record<ReviewKey, (() => void) | undefined>>

const mayRepeat: readonly ReviewKey[] = ['next', 'previous', 'larger', 'smaller']

/** Runs the action of a shortcut. */
export function useKeys(actions: KeyActions): void {
  useShortcuts(useContext(KeysContext), (key, isRepeat) => {
    const name = nameOfKey(key)
    // Holding a key down must not accept or refuse one photo after another.
    return name && (!isRepeat || mayRepeat.includes(name)) ? actions[name] : undefined
  })
}
