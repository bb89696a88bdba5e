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
      const stored = readKept(keyOf(name))
      return stored?.memberId === memberId ? ((stored.draft ?? null) as Draft | null) : null
    },
    write: (draft) => {
      // A timer or an effect may still write for a member who has just signed out.
      if (owner !== undefined && owner !== memberId) return
      const stored = { memberId, savedAt: Date.now(), endsWithSession, draft }
      writeItem('sessionStorage', keyOf(name), draft === null ? null : JSON.stringify(stored))
    },
  }
}

/**
 * From now on, this tab stores only drafts of `memberId`. Drafts from before the member's last sign-out are removed.
 */
export function keepDraftsOf(memberId: string | null, signedOutAt: number): void {
  owner = memberId
  keepDrafts((stored) => stored.memberId === memberId && (memberId === null || isSince(signedOutAt, stored)))
}

/** The session expired without a sign-out, so the member's drafts stay in this tab until someone signs in. */
export function keepDraftsForReturn(signedOutAt: number): void {
  owner = null
  keepDrafts(
    (stored) => stored.memberId === null || (!stored.endsWithSession && isSince(signedOutAt, stored)),
  )
}

type StoredDraft = { memberId: string | null; savedAt: number; endsWithSession: boolean; draft: unknown }

const isSince = (moment: number, { savedAt = 0 }: Partial<StoredDraft>): boolean => savedAt >= moment

function keepDrafts(mayStay: (stored: Partial<StoredDraft>) => boolean): void {
  for (const key of itemKeys('sessionStorage')) {
    if (!key.startsWith(draftPrefix)) continue
    const stored = readKept(key)
    if (!stored || !mayStay(stored)) writeItem('sessionStorage', key, null)
  }
}

/** Data stored by another version of the site can have any shape. */
function readKept(key: string): Partial<StoredDraft> | null {
  try {
    return JSON.parse(readItem('sessionStorage', key) ?? 'null') as Partial<StoredDraft> | null
  } catch {
    return null
  }
}
