import { useEffect, useRef, useState } from 'react'
import { listNewsroomPosts, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import { pageSizeDefault } from '#contract/platform/fields.ts'
import { callPage } from '../../kernel/call/call.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { queryOf, type NewsroomTab } from './newsroom-address.ts'

type Page = { tab: NewsroomTab; q: string; rows: NewsroomPost[]; next: string | undefined }

const ask = (tab: NewsroomTab, q: string, after?: string) =>
  callPage(listNewsroomPosts, {
    query: {
      limit: pageSizeDefault,
      ...queryOf[tab],
      ...(q && { q }),
      ...(after !== undefined && { after }),
    },
  })

/** The posts of a tab, page by page, with the editor's changes applied. */
export function useNewsroomPosts(tab: NewsroomTab, q: string) {
  const { t } = useMessages()
  const [isLoadingMore, setIsLoadingMore] = useState(false)
  const loaded = useLoaded<Page>(`${tab} ${q}`, async () => ({ tab, q, ...(await ask(tab, q)) }))
  const isReady = loaded.state === 'ready' && loaded.data.tab === tab && loaded.data.q === q
  // The undo button of a notice may be used after another list has been opened.
  const latest = useRef<Page | null>(null)
  useEffect(() => {
    latest.current = isReady ? loaded.data : null
  })
  // Posts of the previous tab must not be shown under this one's heading.
  if (!isReady) return loaded.state === 'failed' ? loaded : ({ state: 'loading' } as const)
  const { data, setData } = loaded

  function change(rows: (before: readonly NewsroomPost[], tab: NewsroomTab) => NewsroomPost[]): void {
    const page = latest.current
    if (page) setData({ ...page, rows: rows(page.rows, page.tab) })
  }
  async function loadMore() {
    setIsLoadingMore(true)
    try {
      const { rows, next } = await ask(tab, q, data.next)
      const page = latest.current
      if (page && page.next === data.next)
        setData({ ...page, next, rows: withoutDoubles([...page.rows, ...rows]) })
    } catch (failure) {
      showNotice(failureMessage(t, failure), 'error')
    } finally {
      setIsLoadingMore(false)
    }
  }
  return {
    state: 'ready' as const,
    list: data.rows,
    hasMore: data.next !== undefined,
    isLoadingMore,
    loadMore: () => void loadMore(),
    /** A post that no longer belongs to the tab is removed, and a restored one comes first. */
    put: (post: NewsroomPost) =>
      change((before, tab) => {
        const isKnown = before.some(({ _id }) => _id === post._id)
        const rows = isKnown ? before.map((each) => (each._id === post._id ? post : each)) : [post, ...before]
        return rows.map((each) => besideChanged(each, post)).filter((each) => belongs(each, tab))
      }),
    remove: (id: string) =>
      change((before) =>
        before
          .filter(({ _id }) => _id !== id)
          .map((each) => (each.sibling?._id === id ? { ...each, sibling: null } : each)),
      ),
  }
}

const belongs = ({ state, language, sibling }: NewsroomPost, tab: NewsroomTab): boolean => {
  const wanted = queryOf[tab]
  if (wanted.missing) return sibling === null && language !== wanted.missing && state !== 'deleted'
  return wanted.state ? state === wanted.state : state !== 'deleted'
}

/** Updates the translation shown in a row when that translation changes. */
export function besideChanged(row: NewsroomPost, changed: NewsroomPost): NewsroomPost {
  const { _id, language, title, state } = changed
  if (changed.sibling?._id === row._id) return { ...row, sibling: { _id, language, title, state } }
  return row.sibling?._id === _id && row._id !== _id ? { ...row, sibling: null } : row
}

const withoutDoubles = (posts: readonly NewsroomPost[]): NewsroomPost[] => [
  ...new Map(posts.map((post) => [post._id, post])).values(),
]
