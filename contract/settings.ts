import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { id, line, page, time } from './fields.ts'

/** What operators set in the console and can go back to: the settings of the sale, and the application record. */
export const settingSubjects = ['sale', 'app'] as const
export type SettingSubject = (typeof settingSubjects)[number]

/** Settings as one line of text for each value, by paths such as `quoteMinutes` and `BTC.rate`. */
export type FlatSettings = Readonly<Record<string, string>>

export const settingChange = z.object({
  path: z.string(),
  /** Null where there was none, such as the rate of a pay method that is new. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type SettingChange = z.infer<typeof settingChange>

/** In the order of the paths of both. */
export function changesBetween(before: FlatSettings, after: FlatSettings): SettingChange[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths]
    .filter((path) => before[path] !== after[path])
    .map((path) => ({ path, from: before[path] ?? null, to: after[path] ?? null }))
}

export const whoChanged = z.object({ id, name: z.string() })

export const settingVersion = z.object({
  id,
  subject: z.enum(settingSubjects),
  at: time,
  /** Null where the program itself set it. */
  by: z.nullable(whoChanged),
  /** The second person, where a change took two. */
  confirmedBy: z.nullable(whoChanged),
  /** The version that was gone back to. */
  restoredId: z.nullable(id),
  changes: z.array(settingChange),
})
export type SettingVersion = z.infer<typeof settingVersion>

/** What changes can be looked for by. `order` of pay methods is no value of its own. */
export const settingFields = [
  'rate',
  'receivingAddress',
  'limits',
  'open',
  'window',
  'caps',
  'quoteMinutes',
] as const
export type SettingField = (typeof settingFields)[number]

const day = z.string().check(z.regex(/^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'date'))

const filters = z.strictObject({
  sort: z._default(z.enum(['-at', 'at']), '-at'),
  subject: z.optional(z.enum(settingSubjects)),
  field: z.optional(z.enum(settingFields)),
  method: z.optional(line(40)),
  from: z.optional(day),
  to: z.optional(day),
})
export type VersionFilters = z.infer<typeof filters>

export const listSettingVersions = endpoint('GET', 'admin/sale/versions', {
  about:
    'Who changed the settings of the sale and the application record, when, and from what to what. Days are of UTC.',
  access: staff('coins', 1),
  query: z.extend(page, filters.def.shape),
  output: z.array(settingVersion),
})

export const exportSettingVersions = endpoint('GET', 'admin/sale/versions/csv', {
  about: 'The same list as CSV, all pages, one line for each value that changed. Takes fresh proof.',
  access: staff('coins', 1),
  query: filters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required'],
})

export const getSettingVersion = endpoint('GET', 'admin/sale/versions/:id', {
  about: 'One change, and everything as it was after it.',
  access: staff('coins', 1),
  params: z.strictObject({ id }),
  output: z.object({
    ...settingVersion.shape,
    state: z.array(z.object({ path: z.string(), value: z.string() })),
    /** Whether that is how it is now. */
    isCurrent: z.boolean(),
  }),
  errors: ['not_found'],
})
