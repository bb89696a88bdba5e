import { api, type Api, type EndpointName } from '#contract/api.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { erasedCategories, retainedCategories } from '#contract/people/privacy.ts'
import type en from '#content/privacy/en.json'
import type { Topic } from './db/changes.ts'
import type { Database, Tx } from './db/database.ts'
import type { DB } from './db/rows.ts'
import type { Handler, Handlers } from './http/handler.ts'
import type { Services } from './services.ts'

/**
 * What one part of the API declares about itself. Code that needs all parts (routes, data export, erasure, cleanup,
 * startup, and shutdown) iterates over their list in `app.ts`.
 */
export type Module = {
  /** Its endpoints. Every endpoint of the contract must belong to one module, or `callsOf` does not compile. */
  calls?: Calls
  /** The personal data that it stores. */
  personal?: Personal
  /** Removes what has expired. Each may run in several instances at once and may be interrupted at any point. */
  cleanUp?: Readonly<Record<string, CleanUp>>
  /** Background workers. */
  workers?: readonly StartWorker[]
}

type Calls = { readonly [Name in EndpointName]?: Handler<Api[Name]> }

export type CleanUp = (services: Services) => Promise<unknown>

/** Returns `undefined` if the settings make the worker unnecessary. */
export type StartWorker = (services: Services) => Worker | undefined
export type Worker = {
  /** The topic of changes, also in other instances, that wakes it. */
  topic?: Topic
  wake?(): void
  stop(): void | Promise<void>
}

/** The person that the data is about, in the sense of data protection law. */
export type DataSubject = {
  id: string
  email: string
  language: Language
  /**
   * When the address was verified. Before that, the account may belong to a stranger who signed up with someone else’s
   * address, so emails to that mailbox are not part of its data.
   */
  address_proved_at: Date | null
}

export type ErasedCategory = (typeof erasedCategories)[number]
export type RetainedCategory = (typeof retainedCategories)[number]

export type Personal = {
  /** The columns with personal data or a member's ID. A guard test finds columns that no module declares. */
  columns: PersonalColumns
  /** Its parts of the data export; each becomes a file of the archive. */
  parts?: { readonly [Name in PartName]?: Part }
  /** The pictures that the parts refer to. */
  attachments?: (source: Source) => AsyncIterable<Attachment>
  /** Per category that the law requires to be retained: whether the member has such data. Called in the order of `retainedCategories`. */
  retains?: {
    readonly [Thing in RetainedCategory]?: (
      db: Tx,
      member: DataSubject,
      retainedSoFar: RetainedCategories,
    ) => Promise<boolean>
  }
  /** Per category that erasure removes at once: whether the member has such data. */
  erases?: {
    readonly [Thing in ErasedCategory]?: (
      db: Tx,
      member: DataSubject,
      retained: RetainedCategories,
    ) => Promise<boolean>
  }
  /** Erases everything except retained data. Runs over the modules from the last to the first. */
  erase?: (db: Tx, member: DataSubject, retained: RetainedCategories, how: ErasureManner) => Promise<unknown>
}

/**
 * `isRepeated` is true after a restore: then data with its own erasure records (`api/platform/erasure-notes`) is erased only by
 * those.
 */
export type ErasureManner = Pick<Services, 'keys'> & { isRepeated: boolean }

export type RetainedCategories = ReadonlySet<RetainedCategory>

/**
 * What erasing a member does to a column:
 * - `erased`: emptied or deleted in the same transaction;
 * - `retained`: locked where the law requires retention, destroyed when the retention period is over;
 * - `expires`: untouched by erasure, deleted by housekeeping within weeks;
 * - `remains`: the ID of a row that no longer holds personal data, or published content.
 */
export type ErasureEffect = 'erased' | 'retained' | 'expires' | 'remains'
type PersonalColumns = {
  readonly [Table in keyof DB]?: { readonly [Column in keyof DB[Table]]?: ErasureEffect }
}

/** Every part has a text that explains it in the archive's README. */
export type PartName = keyof (typeof en)['files']

export type Part = { isList: boolean; read: (source: Source) => AsyncIterable<unknown> }

export type Source = Pick<Services, 'keys' | 'files' | 'config'> & {
  db: Database
  member: DataSubject
  /** Whether the requesting session was opened with a second factor. */
  hasSecondFactor: boolean
  /** How a part shows a picture: as a data URL inside it, or by the name of its file in the archive. */
  show: (attachment: Attachment) => Promise<string | null>
  isArchive: boolean
}

export type Attachment = {
  /**
   * Number of the application, unless the photo is staged, and of the picture in it; or number of the conversation and of
   * the file in it.
   */
  name:
    | { application: number; picture: number }
    | { picture: number }
    | { conversation: number; file: number; type: string }
  contentType: string
  /** `undefined` if the file is lost. */
  read: () => Promise<Buffer | undefined>
}

type Exports = Readonly<Record<string, unknown>>
type ExportedBy<Module> = Module extends unknown ? keyof Module : never

/** Collects the handlers among the exports of a module's files: those named like an endpoint. */
export const collectHandlers = <const Files extends readonly Exports[]>(
  ...files: Files
): {
  [Name in EndpointName & ExportedBy<Files[number]>]: Extract<Files[number], Record<Name, unknown>>[Name]
} =>
  Object.fromEntries(files.flatMap((file) => Object.entries(file)).filter(([name]) => name in api)) as never

type NamesIn<Modules extends readonly Module[]> = {
  [Index in keyof Modules]: keyof Modules[Index]['calls']
}[number]
/** Makes the compiler's error name the endpoints that no module serves. */
type Whole<Modules extends readonly Module[]> = [Exclude<EndpointName, NamesIn<Modules>>] extends [never]
  ? unknown
  : { missing: Exclude<EndpointName, NamesIn<Modules>> }

/** Maps each endpoint to its handler. A missing one does not compile; one served by two modules fails at startup. */
export function callsOf<const Modules extends readonly Module[]>(
  modules: Modules & Whole<Modules>,
): Handlers {
  const all = modules.flatMap(({ calls = {} }) => Object.entries(calls))
  const calls = Object.fromEntries(all)
  if (all.length !== Object.keys(api).length || Object.keys(calls).length !== all.length)
    throw new Error('an endpoint is served by two modules, or by none')
  return calls as Handlers
}

/** Returns the parts of the export. Throws if a part is declared by no module or by several, which is a bug. */
export function partsOf(modules: readonly Module[], names: readonly PartName[]): [PartName, Part][] {
  return names.map((name) => {
    const parts = modules.flatMap(({ personal }) => personal?.parts?.[name] ?? [])
    if (parts.length !== 1)
      throw new Error(`the part ${name} of the export is declared by ${parts.length} modules`)
    return [name, parts[0]!]
  })
}

export const workersOf = (modules: readonly Module[]): StartWorker[] =>
  modules.flatMap(({ workers = [] }) => [...workers])
