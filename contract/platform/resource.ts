import * as z from 'zod/mini'
import { endpoint, type Access, type Endpoint, type ReadSubject } from './endpoint.ts'
import { id, page } from './fields.ts'

type Shape = Readonly<Record<string, z.ZodMiniType>>
/** A property that a resource omits, with the reason. */
type Without = { without: string }

/** Declares a kind of record that staff list in the console. The API and the console are both derived from it. */
type Declaration = {
  /** Path of the list, relative to the versioned base. The CSV is at `/csv`, and one record at `/:id`. */
  path: string
  /** Name of the list in saved views and rate limits. */
  name: string
  about: string
  access: Access
  /** What the audit log records as accessed. */
  auditsAccess: ReadSubject | Without
  /** Older endpoints name the ID `_id`. */
  row: z.ZodMiniType<{ id: string } | { _id: string }>
  /** Query parameters. Each has a condition in the API and a field in the console, except `sort`. */
  filters: Shape
  /** Filters that the console sets unless the address of the list says otherwise. */
  defaults?: Readonly<Record<string, string>>
  /** The filter that the command palette searches by. */
  palette: string | Without
  /** The list as CSV. It requires step-up authentication, because it contains many records at once. */
  file?: { about: string; stepUp?: Without } | Endpoint
  detail?: { about: string; output: z.ZodMiniType }
  /** Keeps `limit` and `after` first in the API document, because generated clients may pass them by position. */
  isPageFirst?: true
}

/** Sort orders of a list, by column. A leading `-` means descending. The first one is the default. */
export const sortedBy = <const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) =>
  z.optional(z.enum(sorts, 'one_of'))

type Strict<S extends Shape> = z.ZodMiniObject<S, z.core.$strict>

export type AnyResource = { declared: Declaration; list: Endpoint; file?: Endpoint; get?: Endpoint }

/** The declaration and its endpoints, which its module exports under their own names. */
type Resource<D extends Declaration> = {
  declared: D
  list: Endpoint<
    undefined,
    Strict<D['filters'] & typeof page.shape>,
    undefined,
    z.ZodMiniArray<D['row']>,
    D['access'],
    never
  >
} & (D extends { file: infer File extends object }
  ? {
      file: File extends Endpoint
        ? File
        : Endpoint<
            undefined,
            Strict<D['filters']>,
            undefined,
            z.ZodMiniUnknown,
            D['access'],
            'step_up_required'
          >
    }
  : {}) &
  (D extends { detail: { output: infer Output extends z.ZodMiniType } }
    ? { get: Endpoint<Strict<{ id: typeof id }>, undefined, undefined, Output, D['access'], 'not_found'> }
    : {})

export type FilterName<R extends AnyResource> = Exclude<keyof R['declared']['filters'] & string, 'sort'>
/** A column that the list can be sorted by. */
export type SortName<R extends AnyResource> =
  NonNullable<z.output<R['declared']['filters']['sort']>> extends infer Sort
    ? Sort extends `-${infer Name}`
      ? Name
      : never
    : never
export type FiltersOf<R extends AnyResource> = z.output<Strict<R['declared']['filters']>>
export type RowOf<R extends AnyResource> = z.output<R['declared']['row']>

/** Declares a kind of record. Its endpoints share filters, permission, and audit log entries. */
export function resource<const D extends Declaration>(declared: D): Resource<D> {
  const { path, about, access, auditsAccess, row, filters, file, detail, isPageFirst } = declared
  const common = { access, ...(typeof auditsAccess === 'string' && { auditsAccess }) }
  return {
    declared,
    list: endpoint('GET', path, {
      ...common,
      about,
      query: z.strictObject(isPageFirst ? { ...page.shape, ...filters } : { ...filters, ...page.shape }),
      output: z.array(row),
    }),
    ...(file && {
      file:
        'method' in file
          ? file
          : endpoint('GET', `${path}/csv`, {
              ...common,
              about: file.about,
              query: z.strictObject(filters),
              output: z.unknown(),
              returnsBytes: true,
              alternateType: 'text/csv',
              ...(!file.stepUp && { errors: ['step_up_required'] }),
            }),
    }),
    ...(detail && {
      get: endpoint('GET', `${path}/:id`, {
        ...common,
        about: detail.about,
        params: z.strictObject({ id }),
        output: detail.output,
        errors: ['not_found'],
      }),
    }),
  } as unknown as Resource<D>
}

/** The sort orders of a list, as values of `sort`. A list without any has one fixed order. */
export function sortsOf({ declared: { filters } }: AnyResource): readonly string[] {
  const { innerType } = (filters['sort']?.def ?? {}) as { innerType?: z.ZodMiniEnum }
  return (innerType?.options as string[] | undefined) ?? []
}

/** The default: descending by the first column. */
export function defaultSortOf(resource: AnyResource): string {
  const [first] = sortsOf(resource)
  return first === undefined ? '' : `-${first.replace('-', '')}`
}

/** The parameter of a filter in the address of a list. The server takes `language` for the language of the page. */
export const parameterOf = (filter: string): string => (filter === 'language' ? 'in' : filter)
