import { readItem, writeItem } from '../state/browser-storage.ts'
import type { PlainKey } from '../i18n/message-key.ts'

const key = '_notice'

/** A notice for the next page, where the browser loads that as a whole. */
export const carryNotice = (notice: PlainKey | null): void => writeItem('sessionStorage', key, notice)

/** The notice that the page before left. Read once. */
export function carriedNotice(): PlainKey | null {
  const notice = readItem('sessionStorage', key) as PlainKey | null
  if (notice) carryNotice(null)
  return notice
}

export const hasCarriedNotice = (): boolean => readItem('sessionStorage', key) !== null
