import { defaultSortOf, parameterOf } from '#contract/platform/resource.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import type { ListColumn, ListFilter, ShownList } from './list-spec.ts'
import type { Viewed } from '../../kernel/saved-views/use-views.ts'

/**
 * The state of a list in its address. `after` is the server's cursor of the page; `page` is its number, shown to the
 * reader.
 */
export type ListState = {
  filters: Readonly<Record<string, string>>
  sort: string
  columns: readonly string[]
  after: string
  page: number
}

/** Any list, whatever the type of its rows. */
export type Addressed = Pick<ShownList<never>, 'resource' | 'route' | 'filters' | 'readEarlier'> & {
  columns: readonly Pick<ListColumn<never>, 'name' | 'sort' | 'isExtra'>[]
}

const valueLengthMax = 200

/** Missing or invalid parts get their defaults, because an address can be typed, truncated, or outdated. */
export function stateOf(list: Addressed, given: URLSearchParams): ListState {
  const search = list.readEarlier?.(given) ?? given
  const filters = Object.entries(list.filters).flatMap(([name, filter]): [string, string][] => {
    const given = search.get(parameterOf(name)) ?? search.get(name) ?? defaultOf(list, name)
    const value = given.trim().slice(0, valueLengthMax)
    return filter && value && isPossible(filter, value) ? [[name, value]] : []
  })
  const sort = search.get('sort') ?? ''
  const isSort = list.columns.some(
    (column) => column.sort !== undefined && column.sort === sort.replace(/^-/, ''),
  )
  const page = Number(search.get('page'))
  const after = search.get('after') ?? ''
  return {
    filters: Object.fromEntries(filters),
    sort: isSort ? sort : defaultSortOf(list.resource),
    columns: columnsOf(list, search.get('columns')),
    after,
    page: after && Number.isSafeInteger(page) && page > 1 ? page : 1,
  }
}

const defaultOf = ({ resource }: Addressed, filter: string): string =>
  resource.declared.defaults?.[filter] ?? ''

/** Whether the filters differ from the list's defaults. */
export const isFiltered = (list: Addressed, { filters }: ListState): boolean =>
  Object.keys(list.filters).some((name) => (filters[name] ?? '') !== defaultOf(list, name))

const usualColumns = ({ columns }: Addressed): string[] =>
  columns.filter(({ isExtra }) => !isExtra).map(({ name }) => name)

function columnsOf(list: Addressed, columnNames: string | null): string[] {
  if (columnNames === null) return usualColumns(list)
  const named = columnNames.split(',')
  // The first column links to the row's page, so it cannot be hidden.
  return list.columns.filter(({ name }, at) => at === 0 || named.includes(name)).map(({ name }) => name)
}

function isPossible(filter: ListFilter, value: string): boolean {
  if ('options' in filter) return filter.options.some((option) => option.value === value)
  if (filter.kind === 'day') return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  return filter.kind !== 'number' || /^\d{1,20}(\.\d{1,18})?$/.test(value)
}

/** Returns the endpoint's query for the rows that the address selects, without the page. */
export const queryOf = ({ resource }: Addressed, { filters, sort }: ListState): Record<string, string> => ({
  ...filters,
  ...(sort !== defaultSortOf(resource) && { sort }),
})

/** Returns the query without the page, as stored in a saved view. */
export function viewOf(list: Addressed, { filters, sort, columns }: ListState): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(list.filters)) {
    const value = filters[name] ?? ''
    if (value !== defaultOf(list, name)) query.set(parameterOf(name), value)
  }
  if (sort !== defaultSortOf(list.resource)) query.set('sort', sort)
  if (columns.join() !== usualColumns(list).join()) query.set('columns', columns.join())
  return query.toString()
}

export const viewed = (list: Addressed, state: ListState): Viewed => ({
  name: list.resource.declared.name,
  path: pathTo(list.route),
  shown: viewOf(list, state),
  read: (query) => viewOf(list, stateOf(list, query)),
})

export function addressOf(list: Addressed, state: ListState): string {
  const query = new URLSearchParams(viewOf(list, state))
  if (state.after) {
    query.set('after', state.after)
    query.set('page', String(state.page))
  }
  return query.size > 0 ? `${pathTo(list.route)}?${query}` : pathTo(list.route)
}

/** Changing a filter or the sort order returns to the first page. */
export const fromStart = (state: ListState, change: Partial<ListState>): ListState => ({
  ...state,
  ...change,
  after: '',
  page: 1,
})
