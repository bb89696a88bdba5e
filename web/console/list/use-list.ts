import { useEffect, useMemo, useRef } from 'react'
import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import { useLoaded, type Loaded } from '../../actions/use-loaded.ts'
import { callPage } from '../../call/call.ts'
import { navigate } from '../../navigation/navigate.ts'
import { addressOf, fromStart, stateOf, type ListState } from './list-address.ts'
import type { ListSpec } from './list-spec.ts'

export const pageSize = 25

type Page<Row> = { key: string; rows: readonly Row[]; next: string | undefined }

export type List<Row> = {
  state: ListState
  loaded: Loaded<Page<Row>>
  rows: readonly Row[]
  hasNext: boolean
  /** The rows are still those of the address before. */
  isStale: boolean
  /** Narrows or orders anew. `isTyping`: one of several keystrokes, which share one entry in the history. */
  change: (change: Partial<ListState>, isTyping?: boolean) => void
  goNext: () => void
  goPrevious: () => void
  reload: () => void
}

/** What the endpoint is asked for the rows that the address names. */
export const queryOf = ({ filters, sort }: ListState, defaultSort: string): Record<string, string> => ({
  ...filters,
  ...(sort !== defaultSort && { sort }),
})

/** A list and its address: whatever narrows, orders or pages it goes through the address. */
export function useList<E extends Endpoint, Row>(spec: ListSpec<E, Row>, search: URLSearchParams): List<Row> {
  const state = useMemo(() => stateOf(spec, search), [spec, search])
  const key = addressOf(spec, state)
  const cursors = useRef(new Map<string, string>())
  const loaded = useLoaded<Page<Row>>(key, async () => {
    const query = {
      ...queryOf(state, spec.defaultSort),
      limit: pageSize,
      ...(state.after && { after: state.after }),
    }
    const page = await callPage(spec.endpoint, { query } as CallOf<E>)
    return { key, rows: spec.rowsOf(page.rows), next: page.next }
  })
  const page = loaded.state === 'ready' ? loaded.data : undefined
  const view = addressOf(spec, fromStart(state, {}))
  // The way back is known for pages that were passed, each within its own selection.
  const placeOf = (page: number) => `${page} ${view}`
  const place = placeOf(state.page)
  useEffect(() => {
    if (state.after) cursors.current.set(place, state.after)
  }, [place, state.after])
  const go = (next: ListState, replace = false) =>
    void navigate(addressOf(spec, next), { inPlace: true, replace })
  return {
    state,
    loaded,
    rows: page?.rows ?? [],
    hasNext: page?.next !== undefined && page.key === key,
    isStale: page !== undefined && page.key !== key,
    change: (change, isTyping = false) => go(fromStart(state, change), isTyping),
    goNext: () => page?.next !== undefined && go({ ...state, after: page.next, page: state.page + 1 }),
    goPrevious: () => {
      const after = cursors.current.get(placeOf(state.page - 1))
      go(after === undefined ? fromStart(state, {}) : { ...state, after, page: state.page - 1 })
    },
    reload: () => {
      if (loaded.state === 'ready') loaded.reload()
      if (loaded.state === 'failed') loaded.retry()
    },
  }
}
