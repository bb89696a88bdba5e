import { searchLengthMax } from '#contract/publishing/announcements.ts'
import type { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { newsroomPath } from '../../kernel/routes/console-path.ts'

export const newsroomTabs = [
  'all',
  'drafts',
  'scheduled',
  'due',
  'published',
  'without-chinese',
  'without-english',
  'trash',
] as const
export type NewsroomTab = (typeof newsroomTabs)[number]

/** The newsroom is a single page, and its address determines what is shown. */
export type NewsroomView =
  | { name: 'list'; tab: NewsroomTab; q: string }
  | { name: 'unfinished' }
  /** `copy` is the ID of the autosave to resume. */
  | { name: 'new'; copy?: string | undefined }
  | { name: 'translate'; id: string; copy?: string | undefined }
  | { name: 'edit'; id: string }
  | { name: 'versions'; id: string }

const ofPosts = ['edit', 'versions', 'translate'] as const
const unfinished = 'unfinished'

export function newsroomViewOf(search: URLSearchParams): NewsroomView {
  const copy = search.get('copy') ?? undefined
  if (search.has('new')) return { name: 'new', copy }
  for (const name of ofPosts) {
    const id = search.get(name)
    if (id) return name === 'translate' ? { name, id, copy } : { name, id }
  }
  if (search.get('show') === unfinished) return { name: unfinished }
  const tab = newsroomTabs.find((each) => each === search.get('show')) ?? 'all'
  const q = (search.get('q') ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, searchLengthMax)
  return { name: 'list', tab, q }
}

export function newsroomAddress(view: NewsroomView): string {
  const query = new URLSearchParams()
  if (view.name === 'new') query.set('new', 'post')
  else if (view.name === unfinished) query.set('show', unfinished)
  else if (view.name !== 'list') query.set(view.name, view.id)
  else {
    if (view.tab !== 'all') query.set('show', view.tab)
    if (view.q) query.set('q', view.q)
  }
  if ('copy' in view && view.copy) query.set('copy', view.copy)
  return query.size > 0 ? `${newsroomPath}?${query}` : newsroomPath
}

/** The query string that a saved view stores for a list of posts. */
export function listQuery(view: NewsroomView): string {
  const address = view.name === 'list' ? newsroomAddress(view) : newsroomPath
  return address.slice(newsroomPath.length + 1)
}

export const listAddress = (tab: NewsroomTab): string => newsroomAddress({ name: 'list', tab, q: '' })

type Query = NonNullable<CallOf<typeof listNewsroomPosts>['query']>

/** The API query of a tab. */
export const queryOf: Readonly<Record<NewsroomTab, Partial<Pick<Query, 'state' | 'missing' | 'due'>>>> = {
  all: {},
  drafts: { state: 'draft' },
  scheduled: { state: 'scheduled' },
  due: { due: 'today' },
  published: { state: 'published' },
  'without-chinese': { missing: 'cn' },
  'without-english': { missing: 'en' },
  trash: { state: 'deleted' },
}
