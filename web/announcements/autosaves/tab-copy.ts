import { draftStore, type DraftStore } from '../../state/draft-store.ts'
import type { Autosave, Place } from './autosave.ts'

/** The first net: what was typed in this tab and not yet saved, by this member. `aside` gave way to another text. */
export function tabCopy(
  { postId, translationOf }: Place,
  memberId: string,
  slot: 'mine' | 'aside' = 'mine',
): DraftStore<Autosave> {
  const name = postId ? `post:${postId}` : translationOf ? `translation:${translationOf}` : 'new'
  return draftStore(memberId, slot === 'mine' ? name : `${name}:aside`)
}

/** The server has dropped an autosave: this tab keeps none either. */
export function forgetInTab({ id, ...place }: Place & { id: string }, memberId: string): void {
  const copy = tabCopy(place, memberId)
  if (copy.read()?.id === id) copy.write(null)
}
