import { useEffect, useRef, useState } from 'react'
import type { AnyResource } from '#contract/platform/resource.ts'
import { useSession } from '../kernel/session/session.ts'
import { draftStore } from '../kernel/state/draft-store.ts'

/** The address of a list with its filters, its rows in order, and the record that was opened last. */
type Place = { address: string; ids: readonly string[]; opened?: string }

const placeStore = (memberId: string, { declared }: AnyResource) =>
  draftStore<Place>(memberId, `list ${declared.name}`, { endsWithSession: true })

/**
 * Remembers the list in this tab, for the pages of its records. `ids` is missing until the rows are loaded. If the
 * reader comes back from one of the records, `onReturn` receives its place among the rows.
 */
export function useListPlace(
  resource: AnyResource,
  address: string,
  ids: readonly string[] | undefined,
  onReturn?: (at: number) => void,
) {
  const { member } = useSession()
  const memberId = member?.id
  const known = ids?.join()
  const isArriving = useRef(true)
  useEffect(() => {
    if (memberId === undefined || !ids) return
    const store = placeStore(memberId, resource)
    const at = ids.indexOf(store.read()?.opened ?? '')
    store.write({ address, ids })
    if (isArriving.current && at !== -1) onReturn?.(at)
    isArriving.current = false
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows are compared by their IDs
  }, [memberId, resource, address, known])
}

type Way = {
  resource: AnyResource | undefined
  /** The address of the whole list. */
  list: string
  pathOf: (id: string) => string
}

export type RecordPlace = { list: string; previous?: string | undefined; next?: string | undefined }

/**
 * Returns the way back to the list, and the neighbors of a record among the rows of the list that was opened last. The
 * list gives the record the focus when the reader comes back.
 */
export function useRecordPlace(memberId: string, way: Way, id: string): RecordPlace {
  const [place] = useState(() => placeOf(memberId, way, id))
  const { resource } = way
  useEffect(() => {
    const store = resource && placeStore(memberId, resource)
    const known = store?.read()
    if (known?.ids.includes(id)) store!.write({ ...known, opened: id })
  }, [memberId, resource, id])
  return place
}

function placeOf(memberId: string, { resource, list, pathOf }: Way, id: string): RecordPlace {
  const place = resource && placeStore(memberId, resource).read()
  const at = place?.ids.indexOf(id) ?? -1
  if (!place || at === -1) return { list }
  const neighbor = (by: 1 | -1) => {
    const other = place.ids[at + by]
    return other === undefined ? undefined : pathOf(other)
  }
  return { list: place.address, previous: neighbor(-1), next: neighbor(1) }
}
