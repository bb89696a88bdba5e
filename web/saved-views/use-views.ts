import { useLoaded, type Loaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { listConsoleViews, type ConsoleView } from '#contract/console-views.ts'

/** A list that can be saved as it is shown, under a name. */
export type Viewed = {
  name: string
  /** Where all of it is shown. */
  path: string
  /** The query of what is shown, without the page. Empty where nothing is narrowed or ordered: there is nothing to save. */
  shown: string
  /** A query as the list understands it today: what it no longer knows of an old one is left out. */
  read: (query: URLSearchParams) => string
}

export type SavedView = ConsoleView & { address: string; isCurrent: boolean }

export type Views = {
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
