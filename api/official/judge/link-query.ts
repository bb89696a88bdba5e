import type { ReadLink } from './read-link.ts'

export type Query = readonly (readonly [name: string, value: string])[]
type Searched = Pick<ReadLink, 'search' | 'hash'>

/** Languages, and where somebody came from: they lead nowhere else. */
const idle = /^(?:hl|gl|lang|locale|pli|usp|si|fbclid|gclid|igsh|utm_\w+)$/

/** What of a query decides where a link leads, in one order. */
export const queryOf = ({ search }: Pick<Searched, 'search'>): Query =>
  [...search]
    .filter(([name]) => !idle.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))

/** Each of ours once and as it is, and nothing beside: a second `id`, or a recipient, leads elsewhere. */
export function isSameQuery(ours: Query, search: URLSearchParams): boolean {
  const given = queryOf({ search })
  return (
    given.length === ours.length &&
    ours.every(([name, value], at) => given[at]![0] === name && given[at]![1] === value)
  )
}

/** The part behind `#` where a page is chosen by it, not a place on the page. */
export const routeIn = ({ hash }: Pick<Searched, 'hash'>): string => (/[/=!]/.test(hash) ? hash : '')

/** As it stands in keys and values. */
export const written = (query: Query, route: string): string => {
  const search = new URLSearchParams()
  for (const [name, value] of query) search.append(name, value)
  return (query.length === 0 ? '' : `?${search.toString()}`) + route
}

const combinedMax = 5
const singlesMax = 40

/** Every way in which a link may be listed: by all of its query, by some parts of it, by one. */
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
