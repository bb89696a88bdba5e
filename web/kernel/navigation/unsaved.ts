/** Resolves to whether the reader wants to leave. */
type Ask = () => Promise<boolean>

const held = new Set<Ask>()
const warn = (event: Event) => event.preventDefault()

/**
 * Protects input that would be lost with the page. Until the returned function is called, the reader must confirm
 * before another page of this site is shown, and the browser warns before the tab is closed.
 */
export function guardUnsavedInput(ask: Ask): () => void {
  held.add(ask)
  addEventListener('beforeunload', warn)
  return () => {
    held.delete(ask)
    if (held.size === 0) discardUnsavedInput()
  }
}

/** Discards the input. Called after the reader has confirmed, and at the end of the session. */
export function discardUnsavedInput(): void {
  held.clear()
  removeEventListener('beforeunload', warn)
}

export const isPageHeld = (): boolean => held.size > 0

export const mayLeavePage = async (): Promise<boolean> => (await [...held].at(-1)?.()) ?? true
