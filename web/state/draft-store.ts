import { itemKeys, readItem, writeItem } from './browser-storage.ts'
import { draftPrefix } from './draft-key.ts'

const keyOf = (name: string): string => `${draftPrefix}:${name}`

/** Whose drafts this tab may write: a member's, a visitor's who is not signed in (null), or not known yet. */
let owner: string | null | undefined

export type DraftStore<Draft> = {
  read: () => Draft | null
  /** Null removes the draft. */
  write: (draft: Draft | null) => void
}

/**
 * Keeps what somebody typed and has not sent yet, in this tab only, so that a reload does not lose it. Everything typed
 * that a page keeps in the browser's storage is kept here, so that signing out removes all of it. `memberId` is null
 * for a visitor who is not signed in. A draft that `endsWithSession` is removed even when the session merely expires.
 */
export function draftStore<Draft>(
  memberId: string | null,
  name: string,
  { endsWithSession = false } = {},
): DraftStore<Draft> {
  return {
    read: () => {
      const kept = readKept(keyOf(name))
      return kept?.memberId === memberId ? ((kept.draft ?? null) as Draft | null) : null
    },
    write: (draft) => {
      // A timer or an effect may still write for a member who has just signed out.
      if (owner !== undefined && owner !== memberId) return
      const kept = { memberId, savedAt: Date.now(), endsWithSession, draft }
      writeItem('sessionStorage', keyOf(name), draft === null ? null : JSON.stringify(kept))
    },
  }
}

/** From now on this tab keeps the drafts of `memberId` only, and of a member none from before the last sign-out. */
export function keepDraftsOf(memberId: string | null, signedOutAt: number): void {
  owner = memberId
  keepDrafts((kept) => kept.memberId === memberId && (memberId === null || isSince(signedOutAt, kept)))
}

/** The session expired and nobody signed out: the member's drafts wait in this tab until somebody signs in. */
export function keepDraftsForReturn(signedOutAt: number): void {
  owner = null
  keepDrafts((kept) => kept.memberId === null || (!kept.endsWithSession && isSince(signedOutAt, kept)))
}

type Kept = { memberId: string | null; savedAt: number; endsWithSession: boolean; draft: unknown }

const isSince = (moment: number, { savedAt = 0 }: Partial<Kept>): boolean => savedAt >= moment

function keepDrafts(mayStay: (kept: Partial<Kept>) => boolean): void {
  for (const key of itemKeys('sessionStorage')) {
    if (!key.startsWith(draftPrefix)) continue
    const kept = readKept(key)
    if (!kept || !mayStay(kept)) writeItem('sessionStorage', key, null)
  }
}

/** What another version of the site has left there may have any shape. */
function readKept(key: string): Partial<Kept> | null {
  try {
    return JSON.parse(readItem('sessionStorage', key) ?? 'null') as Partial<Kept> | null
  } catch {
    return null
  }
}
