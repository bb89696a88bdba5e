import { SECOND } from '#contract/platform/durations.ts'
import { useEffect, useState } from 'react'
import { useLoaded, type Loaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { countConsoleViews, listConsoleViews, type ConsoleView } from '#contract/console/console-views.ts'

/** A list whose current view can be saved under a name. */
export type Viewed = {
  name: string
  /** Address of the full list. */
  path: string
  /**
   * The query of the current view, without the page. Empty if nothing is filtered or sorted, so that there is nothing
   * to save.
   */
  shown: string
  /** Returns a query that the list supports today, without unknown parts of an old one. */
  read: (query: URLSearchParams) => string
}

export type SavedView = ConsoleView & {
  address: string
  isCurrent: boolean
  /** Missing until it is counted. */
  count: number | undefined
}

type Views = {
  loaded: Loaded<ConsoleView[]>
  views: readonly SavedView[]
  current: SavedView | undefined
}

export function useViews({ name, path, shown, read }: Viewed): Views {
  const loaded = useLoaded(`views ${name}`, () => call(listConsoleViews, { query: { list: name } }))
  const saved = loaded.state === 'ready' ? loaded.data : []
  const counts = useCounts(name, saved)
  const views = saved.map((view) => {
    const query = read(new URLSearchParams(view.query))
    return {
      ...view,
      address: query ? `${path}?${query}` : path,
      isCurrent: query === shown,
      count: counts.get(view.id),
    }
  })
  return { loaded, views, current: views.find(({ isCurrent }) => isCurrent) }
}

/** In milliseconds: the parts of a page appear together after at most this time. */
const countDelay = 1.5 * SECOND

/** Counts after the page is shown, so that the page doesn't wait. The views work without the counts. */
function useCounts(list: string, views: readonly ConsoleView[]): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map())
  const known = views.map(({ id, query }) => `${id} ${query}`).join()
  useEffect(() => {
    if (known === '') return undefined
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const found = await call(countConsoleViews, { query: { list } })
        if (isCurrent) setCounts(new Map(found.map(({ id, count }) => [id, count])))
      } catch {
        // The earlier counts may be wrong by now.
        if (isCurrent) setCounts(new Map())
      }
    }, countDelay)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [list, known])
  return counts
}
