import { itemKeys, readItem, writeItem } from './browser-storage.ts'

const prefix = '_draft'
const keyOf = (name: string): string => `${prefix}:${name}`

/** Whose drafts this tab keeps: a member's, a stranger's (null), or not known yet. */
let owner: string | null | undefined

export type DraftStore<Draft> = {
  read: () => Draft | null
  /** Null forgets the draft. */
  write: (draft: Draft | null) => void
}

/**
 * Keeps what somebody typed and has not sent yet, in this tab alone, so that a reload does not cost it. Everything
 * typed that a page keeps in the browser's storage is kept here, so that signing out empties all of it. `memberId` is
 * null for somebody who is not signed in.
 */
export function draftStore<Draft>(memberId: string | null, name: string): DraftStore<Draft> {
  return {
    read: () => {
      const kept = readKept(keyOf(name))
      return kept?.memberId === memberId ? ((kept.draft ?? null) as Draft | null) : null
    },
    write: (draft) => {
      // A timer or an effect may still write for somebody who has just signed out.
      if (owner !== undefined && owner !== memberId) return
      writeItem('sessionStorage', keyOf(name), draft === null ? null : JSON.stringify({ memberId, draft }))
    },
  }
}

/** From now on this tab keeps the drafts of this person alone: those of everybody else are gone. */
export function keepDraftsOf(memberId: string | null): void {
  owner = memberId
  for (const key of itemKeys('sessionStorage'))
    if (key.startsWith(prefix) && readKept(key)?.memberId !== memberId) writeItem('sessionStorage', key, null)
}

type Kept = { memberId: string | null; draft: unknown }

/** What another version of the site has left there may have any shape. */
function readKept(key: string): Partial<Kept> | null {
  try {
    return JSON.parse(readItem('sessionStorage', key) ?? 'null') as Partial<Kept> | null
  } catch {
    return null
  }
}
