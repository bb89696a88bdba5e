import { itemKeys, readItem, writeItem } from './browser-storage.ts'
import { draftPrefix } from './draft-key.ts'

const keyOf = (name: string): string => `${draftPrefix}:${name}`

/** The owner of the drafts that this tab can write: a member, a visitor who is not signed in (null), or unknown. */
let owner: string | null | undefined

export type DraftStore<Draft> = {
  read: () => Draft | null
  /** Null deletes the draft. */
  write: (draft: Draft | null) => void
}

/**
 * Stores unsent input in this tab only, so that a reload does not lose it. All input that pages store goes through this
 * function, so that signing out removes all of it. `memberId` is null for a visitor who is not signed in. A draft that
 * `endsWithSession` is removed even when the session merely expires.
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

/**
 * From now on, this tab stores only drafts of `memberId`. Drafts from before the member's last sign-out are removed.
 */
export function keepDraftsOf(memberId: string | null, signedOutAt: number): void {
  owner = memberId
  keepDrafts((kept) => kept.memberId === memberId && (memberId === null || isSince(signedOutAt, kept)))
}

/** The session expired without a sign-out, so the member's drafts stay in this tab until someone signs in. */
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

/** Data stored by another version of the site can have any shape. */
function readKept(key: string): Partial<Kept> | null {
  try {
    return JSON.parse(readItem('sessionStorage', key) ?? 'null') as Partial<Kept> | null
  } catch {
    return null
  }
}
