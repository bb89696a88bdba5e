import { useState } from 'react'
import { pageSizeMax } from '#contract/platform/fields.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { addressOf, fromStart, queryOf } from './list-address.ts'
import type { AnyRow, ShownList } from './list-spec.ts'
import { readRows, type List } from './use-list.ts'

/** The maximum number of rows that can be selected at once. */
export const selectedMax = 500

/** `matching`: all rows that match the filters are selected, or the first ones if there are too many. */
type Selected<Row> = { view: string; rows: ReadonlyMap<string, Row>; matching?: 'all' | 'first' }

export type Selection<Row> = {
  rows: readonly Row[]
  has: (id: string) => boolean
  set: (rows: readonly Row[], isSelected: boolean) => void
  clear: () => void
  matching: 'all' | 'first' | undefined
  selectMatching: () => void
  isBusy: boolean
  error: string | undefined
}

/** The selected rows of a list. They stay selected on other pages, but not under other filters. */
export function useSelection<Row extends AnyRow>(spec: ShownList<Row>, list: List<Row>): Selection<Row> {
  const view = addressOf(spec, fromStart(list.state, { columns: [] }))
  const [kept, keep] = useState<Selected<Row>>({ view, rows: new Map() })
  const { isBusy, error, run, reset } = useAction()
  const { rows, matching }: Selected<Row> = kept.view === view ? kept : { view, rows: new Map() }
  // What the list shows is newer than what was selected on another page.
  const shown = new Map(list.rows.map((row) => [row.id, row]))
  return {
    rows: [...rows.values()].map((row) => shown.get(row.id) ?? row),
    has: (id) => rows.has(id),
    set(changed, isSelected) {
      const next = new Map(rows)
      for (const row of changed) {
        if (!isSelected) next.delete(row.id)
        else if (next.size < selectedMax) next.set(row.id, row)
      }
      keep({ view, rows: next })
    },
    clear() {
      reset()
      keep({ view, rows: new Map() })
    },
    matching,
    selectMatching: () =>
      void run(async () => {
        const { found, isAll } = await readMatching(spec, list)
        keep({
          view,
          rows: new Map(found.map((row) => [row.id, row])),
          matching: isAll ? 'all' : 'first',
        })
      }),
    isBusy,
    error,
  }
}

async function readMatching<Row extends AnyRow>(
  spec: ShownList<Row>,
  { state }: List<Row>,
): Promise<{ found: Row[]; isAll: boolean }> {
  const found: Row[] = []
  let after: string | undefined
  do {
    const query = { ...queryOf(spec, state), limit: pageSizeMax, ...(after && { after }) }
    const page = await readRows(spec, query)
    found.push(...page.rows)
    after = page.next
  } while (after !== undefined && found.length < selectedMax)
  return { found: found.slice(0, selectedMax), isAll: after === undefined && found.length <= selectedMax }
}
