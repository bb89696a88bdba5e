import { useState } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { NewsFilter } from './news-filter.ts'

export type NewsData = {
  language: Language
  filter: NewsFilter
  posts: Announcement[]
  hasMore: boolean
}

/** The announcements of a page with the editor's changes applied. Loading another page resets the changes. */
export function usePosts(data: Pick<NewsData, 'language' | 'posts'>) {
  const [kept, setKept] = useState({ data, list: data.posts })
  const held = kept.data === data ? kept : { data, list: data.posts }
  if (held !== kept) setKept(held)

  const change = (list: (before: Announcement[]) => Announcement[]) =>
    setKept((before) => ({ ...before, list: list(before.list) }))

  return {
    list: held.list,
    add: (post: Announcement) =>
      post.language === data.language && change((before) => joinPosts([post], before)),
    replace: (post: Announcement) =>
      change((before) =>
        post.language === data.language
          ? before.map((each) => (each._id === post._id ? post : each))
          : before.filter((each) => each._id !== post._id),
      ),
    remove: (id: string) => change((before) => before.filter((each) => each._id !== id)),
  }
}

type Dated = { _id: string; postedDate: string }

/** Merges both lists, newest first. Of two posts with the same ID, the one in `second` is newer and wins. */
export const joinPosts = <Post extends Dated>(first: readonly Post[], second: readonly Post[]): Post[] =>
  [...new Map([...first, ...second].map((post) => [post._id, post])).values()].sort((a, b) =>
    b.postedDate.localeCompare(a.postedDate),
  )
