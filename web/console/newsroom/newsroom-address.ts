import type { NewsroomFilters } from '#contract/publishing/newsroom.ts'
import { newsroomPath } from '../../kernel/routes/console-path.ts'

type Filters = { [Name in keyof NewsroomFilters]?: NonNullable<NewsroomFilters[Name]> }

/** The newsroom is a single page, and its address determines what is shown. */
export type NewsroomView =
  | { name: 'list'; filters?: Filters }
  | { name: 'unfinished' }
  /** `copy` is the ID of the autosave to resume. */
  | { name: 'new'; copy?: string | undefined }
  | { name: 'translate'; id: string; copy?: string | undefined }
  | { name: 'edit'; id: string }
  | { name: 'versions'; id: string }

const ofPosts = ['edit', 'versions', 'translate'] as const
const unfinished = 'unfinished'

/** The filters of a list are read by the list itself. */
export function newsroomViewOf(search: URLSearchParams): NewsroomView {
  const copy = search.get('copy') ?? undefined
  if (search.has('new')) return { name: 'new', copy }
  for (const name of ofPosts) {
    const id = search.get(name)
    if (id) return name === 'translate' ? { name, id, copy } : { name, id }
  }
  return { name: search.get('show') === unfinished ? unfinished : 'list' }
}

export function newsroomAddress(view: NewsroomView): string {
  const query = new URLSearchParams(view.name === 'list' ? view.filters : undefined)
  if (view.name === 'new') query.set('new', 'post')
  else if (view.name === unfinished) query.set('show', unfinished)
  else if ('id' in view) query.set(view.name, view.id)
  if ('copy' in view && view.copy) query.set('copy', view.copy)
  return query.size > 0 ? `${newsroomPath}?${query}` : newsroomPath
}

export const listAddress = (filters?: Filters): string =>
  newsroomAddress({ name: 'list', ...(filters && { filters }) })

/** The lists of earlier releases by the value of `show`, as filters. */
const earlierLists = new Map<string | null, Filters>([
  ['drafts', { state: 'draft' }],
  ['scheduled', { state: 'scheduled' }],
  ['due', { due: 'today' }],
  ['published', { state: 'published' }],
  ['without-chinese', { missing: 'cn' }],
  ['without-english', { missing: 'en' }],
  ['trash', { state: 'deleted' }],
])

export function readEarlier(search: URLSearchParams): URLSearchParams {
  const filters = earlierLists.get(search.get('show'))
  return filters ? new URLSearchParams([...search, ...Object.entries(filters)]) : search
}
