import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import styles from './data-table.module.css'
import type { AnyRow, ListColumn } from './list-spec.ts'
import type { Selection } from './use-selection.ts'

type Props<Row extends AnyRow> = {
  caption: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  nameOf: (row: Row) => string
  /** Set if the table can be sorted by its headings. */
  sort?: string
  onSort?: (sort: string) => void
  /** Set if rows can be selected. */
  selection?: Pick<Selection<Row>, 'has' | 'set'>
  actions?: (row: Row) => ReactNode
}

/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS displays the table as a list, browsers drop the table semantics */

/** A compact table with sticky, sortable headings. In a narrow window it becomes a list of labeled lines. */
export function DataTable<Row extends AnyRow>(props: Props<Row>) {
  const { t } = useMessages()
  const { caption, columns, rows, selection, actions } = props
  return (
    <div className={styles.frame} data-wide={columns.some(({ isExtra }) => isExtra) || undefined}>
      <table className={styles.table} role="table">
        <caption className={styles.caption}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={styles.check}>
                <SelectPage rows={rows} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.name} column={column} {...props} />
            ))}
            {actions && (
              <th role="columnheader" scope="col">
                <Hidden>{t('console.list.actions')}</Hidden>
              </th>
            )}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in the rows have the focus */}
        <tbody
          role="rowgroup"
          onKeyDown={stepByArrow}
          onClick={openRow}
          onMouseDown={preventScrolling}
          onAuxClick={openRowInTab}
        >
          {rows.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type SelectPageProps<Row> = { rows: readonly Row[]; selection: Pick<Selection<Row>, 'has' | 'set'> }

/** Selects all rows of the page, or none of them. */
function SelectPage<Row extends AnyRow>({ rows, selection }: SelectPageProps<Row>) {
  const { t } = useMessages()
  const isAll = rows.every(({ id }) => selection.has(id))
  const isSome = rows.some(({ id }) => selection.has(id))
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isSome && !isAll
      }}
      type="checkbox"
      aria-label={t('console.list.selectAll')}
      checked={isAll}
      onChange={() => selection.set(rows, !isAll)}
    />
  )
}

function Row<Item extends AnyRow>({ row, columns, nameOf, selection, actions }: { row: Item } & Props<Item>) {
  const { t } = useMessages()
  const isSelected = selection?.has(row.id) ?? false
  return (
    <tr role="row" data-selected={isSelected || undefined}>
      {selection && (
        <td role="cell" className={styles.check}>
          <input
            type="checkbox"
            aria-label={t('console.list.select', { name: nameOf(row) })}
            checked={isSelected}
            onChange={() => selection.set([row], !isSelected)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.name}
          role="cell"
          className={classOf(column)}
          data-heading={t(column.heading)}
          data-opens={at === 0 || undefined}
        >
          {column.isAddress ? <div className={styles.whole}>{column.cell(row)}</div> : column.cell(row)}
        </td>
      ))}
      {actions && (
        <td role="cell" className={styles.actions}>
          {actions(row)}
        </td>
      )}
    </tr>
  )
}

const classOf = <Row extends AnyRow>(column: ListColumn<Row>): string | undefined =>
  column.isFigure ? styles.figure : column.isAddress ? styles.address : column.isWide && styles.wide

function Heading<Row extends AnyRow>({
  column,
  sort,
  onSort,
}: { column: ListColumn<Row> } & Pick<Props<Row>, 'sort' | 'onSort'>) {
  const { t } = useMessages()
  const { sort: own } = column
  const figure = column.isFigure && styles.figure
  if (own === undefined)
    return (
      <th scope="col" role="columnheader" className={figure}>
        {t(column.heading)}
      </th>
    )
  const direction = sort === own ? 'ascending' : sort === `-${own}` ? 'descending' : undefined
  return (
    <th scope="col" role="columnheader" aria-sort={direction ?? 'none'} className={figure}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort?.(direction === 'descending' ? own : `-${own}`)}
      >
        {t(column.heading)}
        <span aria-hidden="true">{direction ? (direction === 'ascending' ? ' ↑' : ' ↓') : ' ↕'}</span>
      </button>
    </th>
  )
}

/** Arrow keys move from one row's link to the next, and Space selects the row, as in a file manager. */
function stepByArrow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
    const box = event.target.closest('tr')?.querySelector<HTMLElement>('[type=checkbox]')
    if (box) event.preventDefault()
    box?.click()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (!(event.target instanceof HTMLAnchorElement)) return
  if (stepRows(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault()
}

/** Moves the focus to the next or the previous row, or to the first one. Returns whether there is one. */
export function stepRows(list: ParentNode, by: 1 | -1): boolean {
  const rows = [...list.querySelectorAll('tr')].filter((row) => row.querySelector('td a'))
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const link = rows[at === -1 ? 0 : at + by]?.querySelector<HTMLElement>('td a')
  link?.focus()
  return link !== undefined
}

/** Gives the focus to a row, unless the reader has already moved it to something in the page. */
export function focusRow(list: ParentNode | null, at: number): void {
  const { activeElement } = document
  if (activeElement?.matches('a, button, input, select, textarea')) return
  list?.querySelectorAll('tbody tr')[at]?.querySelector<HTMLElement>('[data-opens] a')?.focus()
}

const controls = 'a, button, input, label, select, summary, dialog, [role=menu]'

/** The element that was clicked in a row. Undefined for a control, which handles its own clicks. */
const clickedIn = ({ target }: MouseEvent<HTMLElement>): Element | undefined =>
  target instanceof Element && !target.closest(controls) ? target : undefined

const linkOfRow = (target: Element | undefined) =>
  target?.closest('tr')?.querySelector<HTMLAnchorElement>('[data-opens] a')

/**
 * A click in a row opens its link, unless it is on a control or ends the selection of text. A click beside the checkbox
 * selects the row.
 */
function openRow(event: MouseEvent<HTMLElement>): void {
  const target = clickedIn(event)
  if (getSelection()?.isCollapsed === false) return
  const control = target?.closest('td')?.querySelector(':scope > [type=checkbox]') ?? linkOfRow(target)
  // The same click, so that Ctrl opens a new tab.
  control?.dispatchEvent(new window.MouseEvent('click', event.nativeEvent))
}

const middleButton = 1

/** Without this, a middle click would start scrolling with the mouse on some systems. */
function preventScrolling(event: MouseEvent<HTMLElement>): void {
  if (event.button === middleButton && clickedIn(event)) event.preventDefault()
}

/** A middle click in a row opens its link in a new tab, as a click on the link itself does. */
function openRowInTab(event: MouseEvent<HTMLElement>): void {
  const link = linkOfRow(clickedIn(event))
  if (event.button === middleButton && link) window.open(link.href, '_blank', 'noopener')
}
