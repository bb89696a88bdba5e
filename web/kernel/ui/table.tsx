import type { ReactNode } from 'react'
import styles from './table.module.css'

export type Column<Row> = {
  /** Identifies the column; never shown. */
  name: string
  heading: string
  cell: (row: Row, index: number) => ReactNode
  /** Numbers are right-aligned, with tabular figures. */
  isFigure?: boolean
}

/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS displays the table as a list, browsers drop the table semantics */

/**
 * A table with sticky headings that becomes a list of labeled lines if it is too narrow. It keeps its roles in both
 * layouts.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  foot,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  foot?: ReactNode
}) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} role="table">
        <caption className={styles.caption}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} scope="col" role="columnheader" className={figure(column)}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <td key={column.name} role="cell" className={figure(column)} data-heading={column.heading}>
                  {column.cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

const figure = (column: { isFigure?: boolean }) => (column.isFigure ? styles.figure : undefined)
