import { readItem, writeItem } from '../state/browser-storage.ts'

/** How far each entry of the tab's history was scrolled, by the number in its state. */
const storedKey = '_scroll'
const entriesMax = 50
let positions: Record<string, number> = JSON.parse(readItem('sessionStorage', storedKey) ?? '{}') as Record<
  string,
  number
>

const entryOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'entry' in state ? String(state.entry) : null

/** The history entry that is shown; `history.state` is already the next one's when the reader goes back. */
let shown: string | null = null

export const newEntry = (): { entry: string } => ({ entry: Date.now().toString(36) })

/** Call where an entry has come to be shown; one without a number gets it. */
export function enterEntry(): void {
  if (!entryOf(history.state)) history.replaceState(newEntry(), '')
  shown = entryOf(history.state)
}

export function keepScroll(): void {
  if (!shown) return
  delete positions[shown]
  positions[shown] = Math.round(scrollY)
  positions = Object.fromEntries(Object.entries(positions).slice(-entriesMax))
}

export const storeScroll = (): void => {
  keepScroll()
  writeItem('sessionStorage', storedKey, JSON.stringify(positions))
}

/** Where the entry was left, or the top. */
export const keptScroll = (): number => positions[entryOf(history.state) ?? ''] ?? 0
