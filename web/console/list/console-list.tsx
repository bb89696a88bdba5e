import { useRef, type ReactNode, type RefObject } from 'react'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { labelOf } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { BulkBar, useBulkActions } from './bulk-bar.tsx'
import styles from './console-list.module.css'
import { DataTable, focusRow } from './data-table.tsx'
import { isFiltered, viewed } from './list-address.ts'
import { ListKeys } from './list-keys.tsx'
import type { AnyRow, ShownList } from './list-spec.ts'
import { currentZone } from './list-time.tsx'
import { ListTools } from './list-tools.tsx'
import { SavedViews } from '../../kernel/saved-views/saved-views.tsx'
import { pageSize, useList, type List } from './use-list.ts'
import { useSelection, type Selection } from './use-selection.ts'

type Props<Row extends AnyRow> = {
  spec: ShownList<Row>
  search: URLSearchParams
  /** Actions for a single row. */
  rowActions?: (row: Row, reload: () => void) => ReactNode
}

/** A console list with filters, sorting, pages, columns, saved views, selection, and file export. */
export function ConsoleList<Row extends AnyRow>({ search, ...props }: Props<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const list = useList(props.spec, search, (at) => focusRow(frame.current, at))
  return <KeptList {...props} list={list} frame={frame} />
}

type KeptProps<Row extends AnyRow> = Omit<Props<Row>, 'search'> & {
  list: List<Row>
  frame: RefObject<HTMLDivElement | null>
}

/** The same for a page that keeps the list while it shows something else. */
export function KeptList<Row extends AnyRow>({ spec, list, frame, rowActions }: KeptProps<Row>) {
  const selection = useSelection(spec, list)
  const canSelect = useBulkActions(spec.bulk).length > 0
  const { rows, hasNext, state } = list
  return (
    <div ref={frame}>
      <SavedViews list={viewed(spec, list.state)}>
        {(save) => <ListTools spec={spec} list={list} save={save} />}
      </SavedViews>
      <div className={styles.rows} aria-busy={list.isStale || undefined}>
        <Rows spec={spec} list={list} {...(canSelect && { selection })} {...(rowActions && { rowActions })} />
      </div>
      {canSelect && (
        <BulkBar
          spec={spec}
          selection={selection}
          isMatchingOffered={(hasNext || state.page > 1) && rows.every(({ id }) => selection.has(id))}
          onDone={() => {
            selection.clear()
            list.reload()
          }}
        />
      )}
      <ListKeys frame={frame} {...(canSelect && { clear: selection.clear })} />
    </div>
  )
}

type RowsProps<Row extends AnyRow> = {
  spec: ShownList<Row>
  list: List<Row>
  selection?: Selection<Row>
  rowActions?: (row: Row, reload: () => void) => ReactNode
}

function Rows<Row extends AnyRow>({ spec, list, selection, rowActions }: RowsProps<Row>) {
  const { t, language } = useMessages()
  const { loaded, rows, state } = list
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('console.list.failed')} />
  if (rows.length === 0) return <NoRow spec={spec} list={list} />
  return (
    <>
      <DataTable
        caption={t(spec.caption ?? labelOf(spec.route))}
        columns={spec.columns.filter(({ name }) => state.columns.includes(name))}
        rows={rows}
        nameOf={spec.nameOf}
        sort={state.sort}
        onSort={(sort) => list.change({ sort })}
        {...(selection && { selection })}
        {...(rowActions && { actions: (row: Row) => rowActions(row, list.reload) })}
      />
      <div className={styles.pages}>
        <p role="status">
          {t('console.list.shown', { count: rows.length, page: state.page })}
          {list.hasNext && rows.length < pageSize && ` ${t('console.list.further.some')}`}
          {!spec.isInUtc && <span>{t('console.list.zone', { zone: currentZone(language) })}</span>}
        </p>
        <div>
          <Button kind="quiet" disabled={state.page === 1} onClick={list.goPrevious}>
            {t('console.list.previous')}
          </Button>
          <Button kind="quiet" disabled={!list.hasNext} onClick={list.goNext}>
            {t('console.list.next')}
          </Button>
        </div>
      </div>
    </>
  )
}

function NoRow<Row extends AnyRow>({ spec, list }: { spec: ShownList<Row>; list: List<Row> }) {
  const { t } = useMessages()
  if (list.hasNext)
    return (
      <Empty role="status" title={t('console.list.further')}>
        <p>{t('console.list.further.help')}</p>
        <Button kind="quiet" onClick={list.goNext}>
          {t('console.list.further.go')}
        </Button>
      </Empty>
    )
  const { page } = list.state
  if (page > 1)
    return (
      <Empty role="status" title={t('console.list.shown', { count: 0, page })}>
        <Button kind="quiet" onClick={list.goPrevious}>
          {t('console.list.previous')}
        </Button>
      </Empty>
    )
  // The button that clears the filters is next to them.
  if (isFiltered(spec, list.state))
    return (
      <Empty role="status" title={t('console.list.nothing')}>
        <p>{t('console.list.nothing.help')}</p>
      </Empty>
    )
  return (
    <Empty role="status" title={t(spec.none?.title ?? 'console.list.none')}>
      {spec.none?.help && <p>{t(spec.none.help)}</p>}
    </Empty>
  )
}
