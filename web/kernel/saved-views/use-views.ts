import { useLoaded, type Loaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { listConsoleViews, type ConsoleView } from '#contract/console/console-views.ts'

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

type SavedView = ConsoleView & { address: string; isCurrent: boolean }

type Views = {
  loaded: Loaded<ConsoleView[]>
  views: readonly SavedView[]
  current: SavedView | undefined
}

export function useViews({ name, path, shown, read }: Viewed): Views {
  const loaded = useLoaded(`views ${name}`, () => call(listConsoleViews, { query: { list: name } }))
  const saved = loaded.state === 'ready' ? loaded.data : []
  const views = saved.map((view) => {
    const query = read(new URLSearchParams(view.query))
    return { ...view, address: query ? `${path}?${query}` : path, isCurrent: query === shown }
  })
  return { loaded, views, current: views.find(({ isCurrent }) => isCurrent) }
}
