import { api, type Api, type EndpointName } from '#contract/api.ts'
import type { Language } from '#contract/fields.ts'
import type { erasedCategories, retainedCategories } from '#contract/privacy.ts'
import type en from '#content/privacy/en.json'
import type { Topic } from './db/changes.ts'
import type { Database, Tx } from './db/database.ts'
import type { DB } from './db/rows.ts'
import type { Handler, Handlers } from './http/handler.ts'
import type { Services } from './services.ts'

/**
 * What one part of the API states about itself. Whatever must know all of them (the routes, the export of a member's data,
 * erasure, house-keeping, the start and the stop) is a loop over their list in `app.ts`.
 */
export type Noun = {
  /** Its endpoints. Every endpoint of the contract belongs to one noun: `callsOf` does not compile otherwise. */
  calls?: Calls
  /** What it keeps about members. */
  personal?: Personal
  /** What expires. Every step may run in several instances at once and may be cut off at any point. */
  cleanUp?: Readonly<Record<string, CleanUp>>
  /** What runs beside the requests. */
  workers?: readonly StartWorker[]
}

export type Calls = { readonly [Name in EndpointName]?: Handler<Api[Name]> }

export type CleanUp = (services: Services) => Promise<unknown>

/** `undefined` where the settings ask for none. */
export type StartWorker = (services: Services) => Worker | undefined
export type Worker = {
  /** Which change in another instance it waits for. */
  topic?: Topic
  wake?(): void
  stop(): void | Promise<void>
}

/** Whose data it is. */
export type DataSubject = { id: string; email: string; language: Language }

export type ErasedCategory = (typeof erasedCategories)[number]
export type RetainedCategory = (typeof retainedCategories)[number]

export type Personal = {
  /** The columns that hold what somebody typed, or that point at a member. A guard finds those that nobody states. */
  columns: PersonalColumns
  /** Its parts of the member's data export, each one a file of the archive. */
  parts?: { readonly [Name in PartName]?: Part }
  /** The pictures that the parts name, for the archive. */
  attachments?: (source: Source) => AsyncIterable<Attachment>
  /** What the law keeps, locked, when the member is erased, and how to know that there is any. Asked in the order of the contract's list. */
  keeps?: {
    readonly [Thing in RetainedCategory]?: (
      db: Tx,
      member: DataSubject,
      retainedSoFar: RetainedCategories,
    ) => Promise<boolean>
  }
  /** What erasure takes at once, and how to know that there is any. */
  erases?: {
    readonly [Thing in ErasedCategory]?: (
      db: Tx,
      member: DataSubject,
      kept: RetainedCategories,
    ) => Promise<boolean>
  }
  /** Erases it, all but what is kept. Nouns are erased from the last of the list to the first. */
  erase?: (db: Tx, member: DataSubject, kept: RetainedCategories) => Promise<unknown>
}

export type RetainedCategories = ReadonlySet<RetainedCategory>

/**
 * What becomes of a column when its member is erased:
 * - `erased`: emptied or gone in the same transaction;
 * - `kept`: locked where the law demands it, and destroyed once its retention is over;
 * - `expires`: gone by house-keeping alone, within weeks, whoever is erased;
 * - `remains`: an id of a row that holds nobody's data any more, or what was published.
 */
export type Fate = 'erased' | 'kept' | 'expires' | 'remains'
export type PersonalColumns = {
  readonly [Table in keyof DB]?: { readonly [Column in keyof DB[Table]]?: Fate }
}

/** Every part has words that explain it. */
export type PartName = keyof (typeof en)['files']

export type Part = { isList: boolean; read: (source: Source) => AsyncIterable<unknown> }

export type Source = Pick<Services, 'keys' | 'files'> & {
  db: Database
  member: DataSubject
  /** Whether the session that asks has a second factor. */
  hasSecondFactor: boolean
  /** How a part shows a picture: as a data URL inside it, or by the name of its file in the archive. */
  show: (attachment: Attachment) => Promise<string | null>
  isArchive: boolean
}

export type Attachment = {
  /** The number of its application, unless it still waits for one, and its own. */
  name: { application: number; picture: number } | { picture: number }
  contentType: string
  /** `undefined` where the file is lost. */
  read: () => Promise<Buffer | undefined>
}

type NamesIn<Nouns extends readonly Noun[]> = {
  [Index in keyof Nouns]: keyof Nouns[Index]['calls']
}[number]
/** Names, in the error of the compiler, what nobody serves. */
type Whole<Nouns extends readonly Noun[]> = [Exclude<EndpointName, NamesIn<Nouns>>] extends [never]
  ? unknown
  : { missing: Exclude<EndpointName, NamesIn<Nouns>> }

/** Endpoint to handler. Does not compile while one is missing; one that two nouns serve stops the start. */
export function callsOf<const Nouns extends readonly Noun[]>(nouns: Nouns & Whole<Nouns>): Handlers {
  const all = nouns.flatMap(({ calls = {} }) => Object.entries(calls))
  const calls = Object.fromEntries(all)
  if (all.length !== Object.keys(api).length || Object.keys(calls).length !== all.length)
    throw new Error('an endpoint is served by two nouns, or by none')
  return calls as Handlers
}

/** A part of the export that two nouns state, or none, is a mistake in the program. */
export function partsOf(nouns: readonly Noun[], names: readonly PartName[]): [PartName, Part][] {
  return names.map((name) => {
    const parts = nouns.flatMap(({ personal }) => personal?.parts?.[name] ?? [])
    if (parts.length !== 1)
      throw new Error(`the part ${name} of the export is stated by ${parts.length} nouns`)
    return [name, parts[0]!]
  })
}

export const workersOf = (nouns: readonly Noun[]): StartWorker[] =>
  nouns.flatMap(({ workers = [] }) => [...workers])
