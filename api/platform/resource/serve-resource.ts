import { HOUR } from '#contract/platform/durations.ts'
import type { Endpoint, InputOf, OutputOf } from '#contract/platform/endpoint.ts'
import type { AnyResource, FiltersOf, RowOf } from '#contract/platform/resource.ts'
import { eachPage } from '../db/each-page.ts'
import type { Page, PageOf } from '../db/read-page.ts'
import { csvDownload, type CsvColumns } from '../http/csv-download.ts'
import type { Download, MemberContext } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import { addServedList } from './served-lists.ts'

const filePageSize = 500
const filesPerHourMax = 30

/** A list as CSV. */
type ListFile<Row, Line> = {
  /** Prefix of its file name. */
  name: string
  columns: CsvColumns<Line>
  lines: Lines<Row, Line>
  /** Files whose limit has the same name are counted together. */
  limit?: { name?: string; perHour?: number }
}

/** Returns the lines for the rows of a page. */
type Lines<Row, Line> = (
  context: MemberContext,
  rows: readonly Row[],
) => readonly Line[] | Promise<readonly Line[]>

/** By default, it has the name of the list, and a line contains the fields of the list's response. */
type ServedFile<R extends AnyResource, Row, Line> = Omit<ListFile<Row, Line>, 'name' | 'lines'> & {
  name?: string
} & ([RowOf<R>] extends [Line] ? { lines?: Lines<Row, Line> } : { lines: Lines<Row, Line> })

type List<R extends AnyResource, Row> = {
  /** Reads what the caller can see. */
  read: (context: MemberContext, filters: FiltersOf<R>, page: Page) => Promise<PageOf<Row>>
  /** Converts the rows of a page to their response format. */
  present: (context: MemberContext, rows: readonly Row[]) => RowOf<R>[] | Promise<RowOf<R>[]>
}

type Detail<Output> = {
  /** Returns undefined for a record that the caller can't see, too: both result in `not_found`. */
  detail: (context: MemberContext, id: string) => Promise<Output | undefined>
}

/** Whether the file is generated from the declaration, instead of naming an endpoint with its own handler. */
type HasFile<R extends AnyResource> = R['declared'] extends { file: infer File extends object }
  ? File extends Endpoint
    ? false
    : true
  : false

type Serving<R extends AnyResource, Row, Line> = List<R, Row> &
  (HasFile<R> extends true ? { file: ServedFile<R, Row, Line> } : {}) &
  (R extends { get: infer Get extends Endpoint } ? Detail<OutputOf<Get>> : {})

type Served<R extends AnyResource> = {
  list: (input: InputOf<R['list']>, context: MemberContext) => Promise<RowOf<R>[]>
} & (HasFile<R> extends true
  ? { file: (input: { query: FiltersOf<R> }, context: MemberContext) => Promise<Download> }
  : {}) &
  (R extends { get: infer Get extends Endpoint }
    ? { get: (input: { params: { id: string } }, context: MemberContext) => Promise<OutputOf<Get>> }
    : {})

/** Creates the handlers of a declared resource. */
export function serveResource<R extends AnyResource, Row, Line = never>(
  resource: R,
  serving: Serving<R, Row, Line>,
): Served<R> {
  const { read, present, file, detail } = serving as List<R, Row> & {
    file?: Pick<ListFile<Row, unknown>, 'columns'> & Partial<ListFile<Row, unknown>>
  } & Partial<Detail<unknown>>
  const { name } = resource.declared
  addServedList(resource, read)
  return {
    list: async ({ query }: { query: FiltersOf<R> & Page }, context: MemberContext) => {
      const { limit, after, ...filters } = query
      return context.replica.read(async (db) => {
        const reading = { ...context, db }
        const { rows, next } = await read(reading, filters as FiltersOf<R>, { limit, after })
        context.answer.setNext(next)
        return present(reading, rows)
      })
    },
    file: async ({ query }: { query: FiltersOf<R> }, context: MemberContext) => {
      if (resource.file?.errors.includes('step_up_required')) context.caller.requireStepUp()
      const limit = { name, ...file!.limit }
      return sendFile(context, { name, lines: present, ...file!, limit }, (page) =>
        context.replica.read((db) => read({ ...context, db }, query, page)),
      )
    },
    get: async ({ params }: { params: { id: string } }, context: MemberContext) => {
      const found = await detail?.(context, params.id)
      if (found === undefined) throw new Refused('not_found')
      return found
    },
  } as unknown as Served<R>
}

/** Sends all pages of a list as CSV, with a limit per hour. */
export async function sendFile<Row, Line>(
  context: MemberContext,
  {
    name,
    columns,
    lines,
    limit: { name: limited = name, perHour = filesPerHourMax } = {},
  }: ListFile<Row, Line>,
  read: (page: Page) => Promise<PageOf<Row>>,
): Promise<Download> {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [
    { key: `${limited} files ${caller.memberId}`, max: perHour, window: HOUR },
  ])
  const all = eachPage(async (after) => {
    const { rows, next } = await read({ limit: filePageSize, after })
    return { rows: [...(await lines(context, rows))], next }
  })
  return csvDownload(name, columns, all)
}
