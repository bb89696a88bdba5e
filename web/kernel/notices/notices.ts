import { createStore, type Store } from '../state/create-store.ts'

type NoticeKind = 'info' | 'success' | 'error'
export type Notice = {
  id: number
  text: string
  kind: NoticeKind
  action?: NoticeAction
  other?: NoticeAction
}
/**
 * `isOffer`: the reader can answer elsewhere too, so the notice disappears on its own and gets the focus until then.
 */
type NoticeAction = { label: string; run: () => void; lang?: string; isOffer?: boolean }

export const notices: Store<readonly Notice[]> = createStore<readonly Notice[]>([])
let lastId = 0

/**
 * Shows a short text in the corner and announces it. Errors and questions stay until they are dismissed, by the reader
 * or by the returned function.
 */
export function showNotice(
  text: string,
  kind: NoticeKind = 'info',
  action?: NoticeAction,
  /** A second button. */
  other?: NoticeAction,
): () => void {
  lastId += 1
  const notice: Notice = { id: lastId, text, kind, ...(action && { action }), ...(other && { other }) }
  notices.set([...notices.get().filter((each) => each.text !== text), notice])
  return () => dismissNotice(notice.id)
}

/** Notices about a page are removed on the next one. Questions stay until they are answered. */
export const clearNotices = (): void => notices.set(notices.get().filter((notice) => notice.action))

export const dismissNotice = (id: number): void => notices.set(notices.get().filter((each) => each.id !== id))
