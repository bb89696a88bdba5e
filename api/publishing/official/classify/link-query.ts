import type { ReadLink } from './read-link.ts'

export type Query = readonly (readonly [name: string, value: string])[]
type Searched = Pick<ReadLink, 'search' | 'hash'>

/** Parameters for languages and tracking, which don't change the destination. */
const idle = /^(?:hl|gl|lang|locale|pli|usp|si|fbclid|gclid|igsh|utm_\w+)$/

/** Returns the query parameters that determine the destination, sorted. */
export const queryOf = ({ search }: Pick<Searched, 'search'>): Query =>
  [...search]
    .filter(([name]) => !idle.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))

/**
 * Whether the query has each of our parameters exactly once and no others: a second `id`, or a recipient, leads
 * elsewhere.
 */
export function isSameQuery(ours: Query, search: URLSearchParams): boolean {
  const given = queryOf({ search })
  return (
    given.length === ours.length &&
    ours.every(([name, value], at) => given[at]![0] === name && given[at]![1] === value)
  )
}

/** Returns the fragment if it selects a page rather than a place on the page. */
export const routeIn = ({ hash }: Pick<Searched, 'hash'>): string => (/[/=!]/.test(hash) ? hash : '')

/** Query and route as written in keys and values. */
export const written = (query: Query, route: string): string => {
  const search = new URLSearchParams()
  for (const [name, value] of query) search.append(name, value)
  return (query.length === 0 ? '' : `?${search.toString()}`) + route
}

const combinedMax = 5
const singlesMax = 40

/** Returns every form in which a link may be listed: with its full query, some parameters, or one. */
export function queriesOf(link: Searched): string[] {
  const query = queryOf(link)
  const route = routeIn(link)
  const some =
    query.length > combinedMax
      ? [query, ...query.slice(0, singlesMax).map((each) => [each])]
      : Array.from({ length: 2 ** query.length }, (_, chosen) =>
          query.filter((_each, at) => (chosen & (1 << at)) !== 0),
        ).toSorted((one, other) => other.length - one.length)
  const all = some.flatMap((each) =>
    route === '' ? [written(each, '')] : [written(each, route), written(each, '')],
  )
  return [...new Set([...all, ...(route === '' ? [] : [route])])].filter((each) => each !== '')
}
