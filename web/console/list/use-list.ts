import { useEffect, useMemo, useRef } from 'react'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { useLoaded, type Loaded } from '../../kernel/actions/use-loaded.ts'
import { callPage } from '../../kernel/call/call.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { addressOf, fromStart, queryOf, stateOf, type ListState } from './list-address.ts'
import { useListPlace } from '../list-place.ts'
import type { AnyRow, ShownList } from './list-spec.ts'

export const pageSize = 25

type Page<Row> = { key: string; rows: readonly Row[]; next: string | undefined }

export type List<Row> = {
  state: ListState
  loaded: Loaded<Page<Row>>
  rows: readonly Row[]
  hasNext: boolean
  /** Whether the rows still belong to the previous address. */
  isStale: boolean
  /**
   * Changes filters or the sort order. `isTyping`: the change is one of several keystrokes, which share one history
   * entry.
   */
  change: (change: Partial<ListState>, isTyping?: boolean) => void
  goNext: () => void
  goPrevious: () => void
  reload: () => void
  /** Shows a row as it is now, without reading the list. */
  update: (row: Row) => void
}

/** Reads a page of rows. */
export async function readRows<Row extends AnyRow>(
  { resource }: ShownList<Row>,
  query: object,
): Promise<{ rows: readonly Row[]; next: string | undefined }> {
  const { rows, next } = await callPage(resource.list, { query } as unknown as CallOf<Endpoint>)
  const found = rows as readonly (Row & { _id?: string })[]
  return { rows: found.map((row) => ({ ...row, id: row._id ?? row.id })), next }
}

/**
 * A list and its address. All filtering, sorting, and paging goes through the address. `onReturn` receives the row whose
 * page the reader comes back from.
 */
export function useList<Row extends AnyRow>(
  spec: ShownList<Row>,
  search: URLSearchParams,
  onReturn?: (at: number) => void,
): List<Row> {
  const state = useMemo(() => stateOf(spec, search), [spec, search])
  const key = addressOf(spec, state)
  const cursors = useRef(new Map<string, string>())
  const loaded = useLoaded<Page<Row>>(key, async () => {
    const query = {
      ...queryOf(spec, state),
      limit: pageSize,
      ...(state.after && { after: state.after }),
    }
    return { key, ...(await readRows(spec, query)) }
  })
  const page = loaded.state === 'ready' ? loaded.data : undefined
  useListPlace(spec.resource, key, page?.key === key ? page.rows.map(({ id }) => id) : undefined, onReturn)
  const view = addressOf(spec, fromStart(state, {}))
  // Cursors of previous pages are known only if the pages were visited, separately for each filter and sort order.
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
    update: (changed) => {
      if (loaded.state !== 'ready') return
      const rows = loaded.data.rows.map((row) => (row.id === changed.id ? changed : row))
      loaded.setData({ ...loaded.data, rows })
    },
  }
}
