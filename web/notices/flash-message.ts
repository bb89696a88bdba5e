import { readItem, writeItem } from '../state/browser-storage.ts'
import type { PlainKey } from '../i18n/message-key.ts'

const key = '_notice'

/** Stores a notice for the next page if the browser loads it as a whole. */
export const carryNotice = (notice: PlainKey | null): void => writeItem('sessionStorage', key, notice)

/** The notice stored by the previous page. Can be read once. */
export function carriedNotice(): PlainKey | null {
  const notice = readItem('sessionStorage', key) as PlainKey | null
  if (notice) carryNotice(null)
  return notice
}

export const hasCarriedNotice = (): boolean => readItem('sessionStorage', key) !== null
