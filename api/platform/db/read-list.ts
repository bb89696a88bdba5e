import type { SelectQueryBuilder } from 'kysely'
import {
  defaultSortOf,
  type AnyResource,
  type FiltersOf,
  type SortName,
} from '#contract/platform/resource.ts'
import { readPage, type Column, type Page, type PageOf, type TimesIn } from './read-page.ts'

/** A condition for each declared filter: without one, it does not compile. */
type Conditions<Filters, Query> = {
  readonly [Name in Exclude<keyof Filters, 'sort'>]-?: (
    rows: Query,
    value: NonNullable<Filters[Name]>,
  ) => Query
}

/** The rows that pass the given filters. Empty text filters nothing. */
export function narrowed<Filters extends object, Query>(
  rows: Query,
  filters: Filters,
  where: Conditions<Filters, NoInfer<Query>>,
): Query {
  const given = filters as Readonly<Record<string, never>>
  let passing = rows
  for (const [name, condition] of Object.entries<(rows: Query, value: never) => Query>(where))
    if (given[name] !== undefined && given[name] !== '') passing = condition(passing, given[name])
  return passing
}

type Source<R extends AnyResource, DB, Table extends keyof DB, Row> = {
  rows: SelectQueryBuilder<DB, Table, Row>
  where: Conditions<FiltersOf<R>, SelectQueryBuilder<DB, Table, NoInfer<Row>>>
  /** The time of each declared order. It needs an index together with `id`. */
  sortBy: { readonly [Name in SortName<R>]: Column<TimesIn<Row>> }
  id: Column<'id'>
}

/** One page of a declared list. */
export function readList<R extends AnyResource, DB, Table extends keyof DB, Row extends { id: string }>(
  resource: R,
  { rows, where, sortBy, id }: Source<R, DB, Table, Row>,
  filters: FiltersOf<R>,
  page: Page,
): Promise<PageOf<Row>> {
  const { sort = defaultSortOf(resource) } = filters as { sort?: string }
  return readPage(narrowed(rows, filters as object, where as {}), page, {
    at: sortBy[sort.replace('-', '') as SortName<R>],
    id,
    direction: sort.startsWith('-') ? 'desc' : 'asc',
  })
}
