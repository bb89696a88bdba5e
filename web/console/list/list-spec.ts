import type { ReactNode } from 'react'
import type { Endpoint, OutputOf } from '#contract/endpoint.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedWords } from '../../i18n/words.tsx'
import type { RouteName } from '../../routes/routes.ts'

export type ListColumn<Row> = {
  /** Names it in the address. */
  name: string
  heading: PlainKey
  cell: (row: Row) => ReactNode
  /** Numbers are right-aligned, with tabular numerals. */
  isFigure?: true
  /** E-mail addresses have room for most of them on one line. */
  isAddress?: true
  /** The endpoint's `sort` that orders by it; `-` before it reverses the order. */
  sort?: string
  /** Shown only where the operator chooses it. */
  isExtra?: true
}

/**
 * One choice of a filter. `text`: what comes from the server and is no message. Those that follow one another in a `group`
 * stand under its heading.
 */
export type ListOption = { value: string; group?: PlainKey } & (
  | { label: PlainKey | ((t: UsedWords['t']) => string) }
  | { text: string }
)

/** What narrows the list. Its name is that of the endpoint's query parameter. */
export type ListFilter = { name: string; label: PlainKey } & (
  | { kind: 'search' | 'text'; placeholder?: PlainKey }
  /** A day of UTC, `2036-05-01`. */
  | { kind: 'day' }
  | { kind: 'number' }
  | { kind: 'choice'; options: readonly ListOption[] }
)

/**
 * What can be done with several rows at once. `run` is called for one row after the other and rejects where it fails; `dialog`
 * asks for what it needs and does it by itself, and says on closing whether anything was done.
 */
export type BulkAction<Row> = {
  name: string
  label: PlainKey
  isDangerous?: true
} & (
  | { run: (row: Row) => Promise<unknown> }
  | { dialog: (rows: readonly Row[], onClose: (hasRun: boolean) => void) => ReactNode }
)

/**
 * A list of the console: what it asks for, how a row looks, and what its address may say. `sort`, `limit` and `after` of
 * the endpoint's query belong to the list itself.
 */
export type ListSpec<E extends Endpoint, Row> = {
  /** Names its saved views. */
  name: string
  route: RouteName
  endpoint: E
  rowsOf: (output: OutputOf<E>) => readonly Row[]
  /** For screen readers, and the name of its file. */
  caption: PlainKey
  rowKey: (row: Row) => string
  /** The first of them leads to the row's own page. */
  columns: readonly ListColumn<Row>[]
  filters: readonly ListFilter[]
  /** The order where the address names none. */
  defaultSort: string
  none: { title: PlainKey; help?: PlainKey }
  bulk?: readonly BulkAction<Row>[]
  /** Answers the rows of the same query as CSV, without pages. */
  file?: Endpoint
  /** Names a row where an action on several tells of it. */
  nameOf: (row: Row) => string
}
