import { readItem, writeItem } from '../browser-storage.ts'

export type PostDraft = { title: string; category: string; language: 'en' | 'cn'; content: string }

const keyOf = (postId: string | undefined): string => `_draft:${postId ?? 'new'}`

/** What was typed into the form of a post and not yet saved, in this tab. */
export function readDraft(postId: string | undefined): PostDraft | null {
  const stored = readItem('sessionStorage', keyOf(postId))
  return stored === null ? null : (JSON.parse(stored) as PostDraft)
}

export const keepDraft = (postId: string | undefined, draft: PostDraft | null): void =>
  writeItem('sessionStorage', keyOf(postId), draft && JSON.stringify(draft))
