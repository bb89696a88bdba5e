import type { ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { BulkEndpoint } from '#contract/platform/bulk.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { AnyResource, FilterName, RowOf, SortName } from '#contract/platform/resource.ts'
import type { KeyTaking, PlainKey } from '../../kernel/i18n/message-key.ts'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'
import type { consoleRoutes } from '../../kernel/routes/console-routes.ts'
import type { RouteName } from '../../kernel/routes/routes.ts'

export type ListColumn<Row, Sort extends string = string> = {
  /** Name of the column in the address. */
  name: string
  heading: PlainKey
  cell: (row: Row) => ReactNode
  /** Numbers are right-aligned, with tabular figures. */
  isFigure?: true
  /** Email addresses get enough room to fit on one line in most cases. */
  isAddress?: true
  /** Sentences and long values get the remaining width. */
  isWide?: true
  /** Set if the list can be sorted by this column. */
  sort?: Sort
  /** Shown only if staff select it. */
  isExtra?: true
}

/**
 * One option of a filter. `text` is a label from the server instead of a message. Consecutive options with the same
 * `group` share its heading. `within` is the value of the filter that narrows the options.
 */
export type ListOption = { value: string; group?: PlainKey; within?: string } & (
  | { label: PlainKey | ((t: UsedMessages['t']) => string) }
  | { text: string }
)

/** The field of a filter. */
export type ListFilter = { label: PlainKey } & (
  | { kind: 'search' | 'text'; placeholder?: PlainKey }
  /** A UTC day, `2036-05-01`. */
  | { kind: 'day' }
  | { kind: 'number' }
  | { kind: 'choice'; options: readonly ListOption[] }
  /**
   * A choice among many options, which are found by typing. If the filter `narrowedBy` is set, only the options with its
   * value as `within` are offered.
   */
  | { kind: 'find'; options: readonly ListOption[]; placeholder: PlainKey; narrowedBy: string }
)

/** Input that all rows of a bulk action share, by the name of its property in the body. */
export type BulkField = {
  name: string
  label: PlainKey
  help?: PlainKey
} & (
  | {
      kind: 'reason'
      /** Limits the input. */
      schema: ZodMiniType
      /** Whether it is required, or for which `basis` of a row. */
      isRequired: boolean | readonly string[]
    }
  /** A time in the reader's time zone. */
  | { kind: 'moment' }
  | { kind: 'check' }
  | { kind: 'choice'; options: () => Promise<readonly BulkOption[]> }
)
/** `value` is null for the option “none”. */
export type BulkOption = { value: string | null } & ({ text: string } | { label: PlainKey })

/** What a dialog of a bulk action receives. `onClose` is called with whether the rows may have changed. */
export type BulkDialogProps<Row> = { rows: readonly Row[]; onClose: (hasRun: boolean) => void }

/**
 * An action on several rows. `label` is the key of its button, and the keys of its other messages begin with it. The
 * endpoint is declared with `bulk`; only staff who can call it see the action.
 */
export type BulkAction<Row> = {
  name: string
  isDangerous?: true
} & (
  | {
      label: BulkKey
      endpoint: BulkEndpoint<{}>
      versionOf?: (row: Row) => string
      fields?: readonly BulkField[]
      /** Whether the action is sent only after the time to undo it. */
      isUndoable?: true
      /** What a `basis` means for the row. */
      notes?: Readonly<Record<string, PlainKey>>
    }
  /** Downloads the selected rows as CSV. */
  | { label: PlainKey; isFile: true }
  /** An action on all rows at once, which has a dialog of its own. Only staff who can call `single` see it. */
  | { label: PlainKey; single: Endpoint; dialog: (props: BulkDialogProps<Row>) => ReactNode }
)

/** Keys of buttons with the messages of the action's dialog. */
type BulkKey = {
  [Key in PlainKey]: `${Key}.title` extends KeyTaking<'count'>
    ? `${Key}.${'text' | 'confirm'}` extends PlainKey
      ? Key
      : never
    : never
}[PlainKey]

/** The fields of a list by the names of its filters, in display order. Null if a filter is not offered. */
export type ListFilters<Name extends string = string> = Readonly<Record<Name, ListFilter | null>>

/** A row of any list. The list adds the `id` to rows of older endpoints, which name it `_id`. */
export type AnyRow = { id: string }

/** How the console displays a list. Its endpoints, filters, and sort orders are those of its resource. */
export type ShownList<Row extends AnyRow, Sort extends string = string, Name extends string = string> = {
  resource: AnyResource
  route: RouteName
  /** The table caption for screen readers, and the name of the exported file. By default, it is the page's title. */
  caption?: PlainKey
  /** The first column links to the row's page. */
  columns: readonly ListColumn<Row, Sort>[]
  filters: ListFilters<Name>
  /** Replaces the parameters of earlier releases, which links and saved views still contain. */
  readEarlier?: (search: URLSearchParams) => URLSearchParams
  /** Shown if there are no rows. By default, it says that there is nothing. */
  none?: { title: PlainKey; help?: PlainKey }
  /** Times are in UTC, as their heading says, and not in the reader's time zone. */
  isInUtc?: true
  bulk?: readonly BulkAction<Row>[]
  /** Name of a row, and what distinguishes it from others, in the dialog of a bulk action. */
  nameOf: (row: Row) => string
  tagOf?: (row: Row) => ReactNode
}

/** The pages that require the same right as the list. */
type PageOf<R extends AnyResource> = R['declared']['access'] extends {
  level: infer Level
  atLeast: infer Least
}
  ? Extract<(typeof consoleRoutes)[number], { needs: { level: Level; atLeast: Least } }>['name']
  : never

/** A row as the list shows it. */
export type ListedRow<R extends AnyResource> = RowOf<R> & AnyRow

export type ListSpec<R extends AnyResource> = ShownList<ListedRow<R>, SortName<R>, FilterName<R>> & {
  resource: R
  route: PageOf<R>
}
