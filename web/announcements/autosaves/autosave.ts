import { newKey } from '../../kernel/call/new-key.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import type { Autosave as StoredAutosave, saveAutosave } from '#contract/publishing/newsroom.ts'
import type { Language } from '#contract/platform/fields.ts'

/** What an editor types into the form of a post. */
export type PostText = { title: string; category: string; language: Language; content: string }

/** How the post is presented, as far as the editor has changed it. */
export type Presentation = Pick<CallOf<typeof saveAutosave>['body'], 'card' | 'byline'>

/** Everything that the form of a post contains. */
export type PostDraft = PostText & Presentation

/** What the form edits: an existing post, a translation of one, or, with neither, a new post. */
export type Place = Pick<StoredAutosave, 'postId' | 'translationOf'>

/** The draft as last changed. `basedOn` is the stored post's `lastEdited` when editing began. */
export type Autosave = PostDraft & { id: string; basedOn: string | null; savedAt: string }

export const textOf = ({ title, category, language, content }: PostText): PostText => ({
  title,
  category,
  language,
  content,
})

export const presentationOf = ({ card, byline }: Presentation): Presentation => ({
  ...(card !== undefined && { card }),
  ...(byline !== undefined && { byline }),
})

export const isSameDraft = (one: PostDraft, other: PostDraft): boolean =>
  one.title === other.title &&
  one.category === other.category &&
  one.language === other.language &&
  one.content === other.content &&
  one.byline === other.byline &&
  isSameCard(one.card, other.card)

/** Undefined (as in the post) and null (chosen automatically) differ. */
const isSameCard = (one: Presentation['card'], other: Presentation['card']): boolean =>
  one && other ? one.src === other.src && one.alt === other.alt : one === other

/** Created in the browser, so that a repeated request stores only one autosave. */
export function newId(): string {
  return newKey().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
