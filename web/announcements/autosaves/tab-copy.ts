import { draftStore, type DraftStore } from '../../kernel/state/draft-store.ts'
import type { Autosave, Place } from './autosave.ts'

/**
 * Local copy of what this member typed in this tab and has not saved. `aside` holds text that was replaced by
 * another.
 */
export function tabCopy(
  { postId, translationOf }: Place,
  memberId: string,
  slot: 'mine' | 'aside' = 'mine',
): DraftStore<Autosave> {
  const name = postId ? `post:${postId}` : translationOf ? `translation:${translationOf}` : 'new'
  return draftStore(memberId, slot === 'mine' ? name : `${name}:aside`)
}

/** Deletes this tab's copy after the server has deleted an autosave. */
export function deleteTabCopy({ id, ...place }: Place & { id: string }, memberId: string): void {
  const copy = tabCopy(place, memberId)
  if (copy.read()?.id === id) copy.write(null)
}
