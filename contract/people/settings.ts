import * as z from 'zod/mini'
import { staff } from '../platform/endpoint.ts'
import { id, line, time } from '../platform/fields.ts'
import { resource, type FiltersOf } from '../platform/resource.ts'

/** Settings that staff can change and restore in the console: the sale settings and the app profile. */
export const settingSubjects = ['sale', 'app'] as const
export type SettingSubject = (typeof settingSubjects)[number]

/** Settings as one line of text per value, by paths such as `quoteMinutes` and `BTC.rate`. */
export type FlatSettings = Readonly<Record<string, string>>

export const settingChange = z.object({
  path: z.string(),
  /** Null if there was none, for example the rate of a new payment method. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type SettingChange = z.infer<typeof settingChange>

/** Returns the changes, sorted by path. */
export function changesBetween(before: FlatSettings, after: FlatSettings): SettingChange[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths]
    .filter((path) => before[path] !== after[path])
    .map((path) => ({ path, from: before[path] ?? null, to: after[path] ?? null }))
}

export const whoChanged = z.object({ id, name: z.string() })

const settingVersion = z.object({
  id,
  subject: z.enum(settingSubjects),
  at: time,
  /** Null if it was set automatically. */
  by: z.nullable(whoChanged),
  /** The second person, if the change required four-eyes approval. */
  confirmedBy: z.nullable(whoChanged),
  /** The version that was restored. */
  restoredId: z.nullable(id),
  /** The rounds of a sale, whose IDs and a slash precede the paths of their settings. */
  rounds: z.record(z.string(), z.object({ en: z.string(), cn: z.string() })),
  changes: z.array(settingChange),
})
export type SettingVersion = z.infer<typeof settingVersion>

/** Fields by which changes can be filtered. The `order` of payment methods is not a value of its own. */
const settingFields = [
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

const settingVersionDetail = z.object({
  ...settingVersion.shape,
  state: z.array(z.object({ path: z.string(), value: z.string() })),
  /** Whether this is the current value. */
  isCurrent: z.boolean(),
})

export const settingVersions = resource({
  path: 'admin/sale/versions',
  name: 'sale-history',
  about:
    'List the changes of the sale settings and the app profile: who made them, when, and the values before and after. Days are UTC.',
  access: staff('coins', 1),
  auditsAccess: { without: 'The settings are about the project, not about people.' },
  row: settingVersion,
  filters: {
    sort: z._default(z.enum(['-at', 'at']), '-at'),
    subject: z.optional(z.enum(settingSubjects)),
    field: z.optional(z.enum(settingFields)),
    method: z.optional(line(40)),
    from: z.optional(day),
    to: z.optional(day),
  },
  isPageFirst: true,
  palette: { without: 'A change has no name to search for.' },
  file: {
    about:
      'Export the same list as CSV, all pages, with one line per changed value. Requires step-up authentication.',
  },
  detail: { about: 'Get one change, and all settings as they were after it.', output: settingVersionDetail },
})
export const {
  list: listSettingVersions,
  file: exportSettingVersions,
  get: getSettingVersion,
} = settingVersions
export type VersionFilters = FiltersOf<typeof settingVersions>
