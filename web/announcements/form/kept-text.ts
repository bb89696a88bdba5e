import type { WorkingCopy } from '#contract/newsroom.ts'
import { draftStore, type DraftStore } from '../../state/draft-store.ts'

/** What an editor types into the form of a post. */
export type PostText = { title: string; category: string; language: 'en' | 'cn'; content: string }

/** What a text is for: a post that exists, a new one, the translation of one; `aside` is one that gave way to another. */
export type FormPlace = { kind: 'post' | 'translation' | 'aside'; postId: string } | { kind: 'new' }

/** As the server names the place. */
export const placeOnServer = (place: FormPlace): { postId: string | null; translationOf: string | null } => ({
  postId: place.kind === 'post' ? place.postId : null,
  translationOf: place.kind === 'translation' ? place.postId : null,
})

/** As it was left. `basedOn` is when the stored post had last changed as the editing began. */
export type KeptText = PostText & { copyId: string; basedOn: string | null; savedAt: string }

/** The first net: what was typed in this tab and not yet saved, by this member. */
const draftAt = (place: FormPlace, memberId: string): DraftStore<KeptText> =>
  draftStore(memberId, place.kind === 'new' ? 'new' : `${place.kind}:${place.postId}`)

export const readKeptText = (place: FormPlace, memberId: string): KeptText | null =>
  draftAt(place, memberId).read()

export const keepText = (place: FormPlace, memberId: string, text: KeptText | null): void =>
  draftAt(place, memberId).write(text)

/** The server has dropped its copy: this tab keeps none either. */
export function forgetKeptText(
  { id, postId, translationOf }: Pick<WorkingCopy, 'id' | 'postId' | 'translationOf'>,
  memberId: string,
): void {
  const place: FormPlace = postId
    ? { kind: 'post', postId }
    : translationOf
      ? { kind: 'translation', postId: translationOf }
      : { kind: 'new' }
  if (readKeptText(place, memberId)?.copyId === id) keepText(place, memberId, null)
}

export const isSameText = (one: PostText, other: PostText): boolean =>
  one.title === other.title &&
  one.category === other.category &&
  one.language === other.language &&
  one.content === other.content

/** Made here so that a repeated call keeps one copy; `randomUUID` exists on secure pages only. */
export function newCopyId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
