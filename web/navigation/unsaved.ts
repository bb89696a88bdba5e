/** Resolves to whether the reader leaves all the same. */
type Ask = () => Promise<boolean>

const held = new Set<Ask>()
const warn = (event: Event) => event.preventDefault()

/**
 * Something typed here would be lost with the page: until the returned function is called, the reader is asked before
 * another page of this site is shown, and warned by the browser before the tab is closed.
 */
export function holdPage(ask: Ask): () => void {
  held.add(ask)
  addEventListener('beforeunload', warn)
  return () => {
    held.delete(ask)
    if (held.size === 0) letPageGo()
  }
}

/** What was typed is given up: after the answer, and with the session. */
export function letPageGo(): void {
  held.clear()
  removeEventListener('beforeunload', warn)
}

export const isPageHeld = (): boolean => held.size > 0

export const mayLeavePage = async (): Promise<boolean> => (await [...held].at(-1)?.()) ?? true
