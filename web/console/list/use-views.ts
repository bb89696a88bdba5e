import { useLoaded, type Loaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { listConsoleViews, type ConsoleView } from '#contract/console-views.ts'
import { addressOf, stateOf, viewOf, type Addressed, type ListState } from './list-address.ts'

/** A saved view as this list understands it: what it no longer knows of an old one is left out. */
export type SavedView = ConsoleView & { address: string; isCurrent: boolean }

export type Views = {
  loaded: Loaded<ConsoleView[]>
  views: readonly SavedView[]
  current: SavedView | undefined
  /** Nothing is narrowed or ordered: there is nothing to save. */
  isPlain: boolean
}

export function useViews(list: Addressed & { name: string }, state: ListState): Views {
  const { name } = list
  const loaded = useLoaded(`views ${name}`, () => call(listConsoleViews, { query: { list: name } }))
  const shown = viewOf(list, state)
  const saved = loaded.state === 'ready' ? loaded.data : []
  const views = saved.map((view) => {
    const its = stateOf(list, new URLSearchParams(view.query))
    return { ...view, address: addressOf(list, its), isCurrent: viewOf(list, its) === shown }
  })
  return { loaded, views, current: views.find(({ isCurrent }) => isCurrent), isPlain: shown === '' }
}
