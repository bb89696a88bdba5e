import { searchLengthMax } from '#contract/platform/patterns.ts'
import { categories, newsPageMax } from '#contract/publishing/announcements.ts'

/** Which posts are shown. */
export type NewsFilter = { category: string | null; q: string; page: number }

/** Returns a category as part of an address. */
export const keyOf = (category: string): string => category.toLowerCase().replaceAll(' ', '-')

/** Returns the category with this part of an address. */
export const categoryAt = (key: string | null | undefined) =>
  categories.find(({ name }) => keyOf(name) === key)?.name

/** Invalid values are ignored, so that a shared link always shows something. */
export function readFilter(query: URLSearchParams): NewsFilter {
  const page = Number(query.get('page') ?? 1)
  return {
    category: categoryAt(query.get('category')) ?? null,
    q: (query.get('q') ?? '')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, searchLengthMax),
    page: Number.isInteger(page) && page >= 1 && page <= newsPageMax ? page : 1,
  }
}

/** Returns the address of a filter, relative to the news page. */
export function filterAddress({ category, q, page }: NewsFilter): string {
  const query = new URLSearchParams()
  if (category) query.set('category', keyOf(category))
  if (page > 1) query.set('page', String(page))
  if (q) query.set('q', q)
  return `?${query.toString()}`
}

export const isFiltered = ({ category, q }: NewsFilter): boolean => category !== null || q !== ''
