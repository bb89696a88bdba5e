import { readItem, writeItem } from '../browser-storage.ts'
import { draftKey } from '../session.ts'

/** The text fields of the form, as far as they were typed. Pictures are never kept in the browser. */
export type Draft = {
  firstName: string
  email: string
  country: string
  ethAddress: string
  btcAddress: string
}

const names = ['firstName', 'email', 'country', 'ethAddress', 'btcAddress'] as const

/** Kept for one member and this tab alone; `null` forgets it. */
export const keepDraft = (memberId: string, draft: Draft | null): void =>
  writeItem('sessionStorage', draftKey, draft && JSON.stringify({ memberId, ...draft }))

export function readDraft(memberId: string): Draft | null {
  try {
    const kept = JSON.parse(readItem('sessionStorage', draftKey) ?? 'null') as
      | (Partial<Draft> & { memberId?: string })
      | null
    if (kept?.memberId !== memberId) return null
    return Object.fromEntries(names.map((name) => [name, kept[name] ?? ''])) as Draft
  } catch {
    return null
  }
}
