import { useState } from 'react'
import { listAnnouncements, type Announcement } from '#contract/announcements.ts'
import { pageSizeDefault, type Language } from '#contract/fields.ts'
import { callPage } from '../call.ts'
import { joinPosts } from './join-posts.ts'

export type NewsData = { language: Language; posts: Announcement[] }

type Held = {
  /** What the list began with: a page that was loaded anew begins anew. */
  data: NewsData
  list: Announcement[]
  /** Where the list goes on; null at its end. Unknown after the first page, which comes without its cursor. */
  next: string | null | undefined
}

const beginWith = (data: NewsData): Held => ({
  data,
  list: data.posts,
  next: data.posts.length < pageSizeDefault ? null : undefined,
})

/** The announcements of a language: those of the page, those loaded after them, and what the publisher changes. */
export function usePosts(data: NewsData) {
  const [kept, setHeld] = useState(() => beginWith(data))
  const [isLoading, setIsLoading] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const held = kept.data === data ? kept : beginWith(data)
  if (held !== kept) setHeld(held)

  const change = (list: (before: Announcement[]) => Announcement[]) =>
    setHeld((before) => ({ ...before, list: list(before.list) }))

  async function loadMore() {
    const params = { lang: data.language }
    setIsLoading(true)
    setFailure(undefined)
    try {
      let { next } = held
      let rows: Announcement[] = []
      if (next === undefined) {
        const first = await callPage(listAnnouncements, { params })
        rows = first.rows
        next = first.next ?? null
      }
      if (next !== null) {
        const following = await callPage(listAnnouncements, { params, query: { after: next } })
        rows = [...rows, ...following.rows]
        next = following.next ?? null
      }
      setHeld((before) =>
        before.data === data ? { ...before, list: joinPosts(before.list, rows), next } : before,
      )
    } catch (cause) {
      setFailure(cause)
    } finally {
      setIsLoading(false)
    }
  }

  return {
    list: held.list,
    hasMore: held.next !== null,
    isLoading,
    failure,
    loadMore,
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
