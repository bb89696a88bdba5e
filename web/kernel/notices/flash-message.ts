import { readItem, writeItem } from '../state/browser-storage.ts'
import type { PlainKey } from '../i18n/message-key.ts'

const key = '_notice'

/** Stores a notice for the next page, for the case that the browser loads that page in full. */
export const storeFlashMessage = (notice: PlainKey | null): void => writeItem('sessionStorage', key, notice)

/** Returns the notice that the previous page stored. It can be read only once. */
export function takeFlashMessage(): PlainKey | null {
  const notice = readItem('sessionStorage', key) as PlainKey | null
  if (notice) storeFlashMessage(null)
  return notice
}

export const hasFlashMessage = (): boolean => readItem('sessionStorage', key) !== null
