import { newKey } from '../../kernel/call/new-key.ts'
import type { Autosave as StoredAutosave } from '#contract/publishing/newsroom.ts'
import type { Language } from '#contract/platform/fields.ts'

/** What an editor types into the form of a post. */
export type PostText = { title: string; category: string; language: Language; content: string }

/** What the form edits: an existing post, a translation of one, or, with neither, a new post. */
export type Place = Pick<StoredAutosave, 'postId' | 'translationOf'>

/** The text as last typed. `basedOn` is the stored post's `lastEdited` when editing began. */
export type Autosave = PostText & { id: string; basedOn: string | null; savedAt: string }

export const textOf = ({ title, category, language, content }: PostText): PostText => ({
  title,
  category,
  language,
  content,
})

export const isSameText = (one: PostText, other: PostText): boolean =>
  one.title === other.title &&
  one.category === other.category &&
  one.language === other.language &&
  one.content === other.content

/** Created in the browser, so that a repeated request stores only one autosave. */
export function newId(): string {
  return newKey().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
