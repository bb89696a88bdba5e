import { useState } from 'react'
import { listNewsroomPosts, type NewsroomPost } from '#contract/newsroom.ts'
import { pageSizeDefault } from '#contract/fields.ts'
import { callPage } from '../../call.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../layout/notices.tsx'
import { useLoaded } from '../../loaded/use-loaded.ts'
import { queryOf, type NewsroomTab } from './newsroom-address.ts'

type Page = { key: string; rows: NewsroomPost[]; next: string | undefined }

const ask = (tab: NewsroomTab, q: string, after?: string) =>
  callPage(listNewsroomPosts, {
    query: {
      limit: pageSizeDefault,
      ...queryOf[tab],
      ...(q && { q }),
      ...(after !== undefined && { after }),
    },
  })

/** The posts of a tab, page after page, and what the editor changes on them. */
export function useNewsroomPosts(tab: NewsroomTab, q: string) {
  const { t } = useWords()
  const key = `${tab} ${q}`
  const [isLoadingMore, setIsLoadingMore] = useState(false)
  const loaded = useLoaded<Page>(key, async () => ({ key, ...(await ask(tab, q)) }))
  // Another tab's posts are not shown under this one's name.
  if (loaded.state !== 'ready' || loaded.data.key !== key)
    return loaded.state === 'failed' ? loaded : ({ state: 'loading' } as const)
  const { data, setData } = loaded

  async function loadMore() {
    setIsLoadingMore(true)
    try {
      const { rows, next } = await ask(tab, q, data.next)
      const known = new Set(data.rows.map(({ _id }) => _id))
      setData({ key, next, rows: [...data.rows, ...rows.filter(({ _id }) => !known.has(_id))] })
    } catch (failure) {
      showNotice(failureWords(t, failure), 'error')
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
    /** A post that no longer belongs to the tab goes from it. */
    replace: (post: NewsroomPost) => {
      const { state } = queryOf[tab]
      const rows = data.rows.map((each) => (each._id === post._id ? post : each))
      setData({ ...data, rows: state ? rows.filter((each) => each.state === state) : rows })
    },
    remove: (id: string) => setData({ ...data, rows: data.rows.filter(({ _id }) => _id !== id) }),
    reload: loaded.reload,
  }
}
