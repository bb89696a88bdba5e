import { readItem, writeItem } from '../state/browser-storage.ts'

/** Storage key for the scroll positions of the tab's history entries, by the number in their state. */
const storedKey = '_scroll'
const entriesMax = 50
let positions: Record<string, number> = JSON.parse(readItem('sessionStorage', storedKey) ?? '{}') as Record<
  string,
  number
>

const entryOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'entry' in state ? String(state.entry) : null

/** The displayed history entry. When the reader goes back, `history.state` already belongs to the next one. */
let shown: string | null = null

/** Position in the tab's history, from which the number of steps between two entries is calculated. */
let shownAt = -1
const placeOf = (state: unknown): number | null =>
  typeof state === 'object' && state !== null && 'at' in state ? Number(state.at) : null

export const newEntry = (): { entry: string; at: number } => ({
  entry: Date.now().toString(36),
  at: shownAt + 1,
})

/** Returns the number of steps from the displayed entry to the browser's current one: -1 after “back”. */
export const stepsAway = (): number => (placeOf(history.state) ?? shownAt - 1) - shownAt

/** Called when a history entry is displayed. Numbers it if it has no number yet. */
export function enterEntry(): void {
  if (!entryOf(history.state)) history.replaceState(newEntry(), '')
  shown = entryOf(history.state)
  shownAt = placeOf(history.state) ?? shownAt
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

/** Returns the entry's last scroll position, otherwise the top. */
export const storedScroll = (): number => positions[entryOf(history.state) ?? ''] ?? 0
