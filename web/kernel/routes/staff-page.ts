import type { StaffRight } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { AnyResource, RowOf } from '#contract/platform/resource.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { ConsoleArea } from './console-areas.ts'
import type { ConsoleEntry, Need } from './route.ts'

export const staff = { guard: 'staff', rendered: 'shell', description: 'console.description' } as const

/** Common properties of console pages for members with at least this right. */
export const reads = <Right extends StaffRight>(level: Right) =>
  ({ ...staff, needs: { level, atLeast: 1 } }) as const

/** How the command palette finds records of a list. */
export type Search<Row> = {
  /** `detail` distinguishes results with the same title. */
  hit: (row: Row, language: Language) => { title: string; detail?: string | null | undefined }
  /** The filter that the palette tries if it finds nothing, which tolerates mistakes. */
  similar?: string
  /** Whether the list can be searched by these words. By default, it can be searched by any. */
  takes?: (words: string) => boolean
  /** The labels of actions with a dialog on the record's page, which the palette can open by name. */
  actions?: readonly PlainKey[]
}

type Listed = AnyResource & { declared: { access: Need } }
type Given<Entry> = Omit<Entry, keyof typeof staff | 'needs' | 'within' | 'menu'>
type ListPage = Given<ConsoleEntry> & { menu: ConsoleArea }
/** By default, it has the file and the messages of the list, and is at `/:id` below it. */
type RecordPage<R extends Listed> = Pick<ListPage, 'name' | 'title'> &
  Partial<Pick<ListPage, 'path' | 'words' | 'file'>> &
  (R['declared']['palette'] extends string ? { search: Search<RowOf<R>> } : { search?: never })

type Defaults<R extends Listed, List extends ListPage> = {
  path: `${List['path']}/:id`
  words: List['words']
  file: List['file']
  within: List['name']
  resource: R
}

/**
 * The page of a declared list and the page of one record. Both require the right of the list. If the command palette
 * searches the list, `search` says how it shows a record.
 */
export function recordPages<
  R extends Listed,
  const List extends ListPage,
  const One extends RecordPage<NoInfer<R>>,
>(resource: R, list: List, record: One) {
  const common: typeof staff & { needs: R['declared']['access'] } = {
    ...staff,
    needs: resource.declared.access,
  }
  const defaults: Defaults<R, List> = {
    path: `${list.path}/:id`,
    words: list.words,
    file: list.file,
    within: list.name,
    resource,
  }
  return [
    { ...common, ...list },
    { ...common, ...defaults, ...record },
  ] as [typeof common & List, typeof common & Omit<Defaults<R, List>, keyof One> & One]
}
