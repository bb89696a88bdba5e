import * as z from 'zod/mini'
import { MINUTE } from '#contract/platform/durations.ts'
import { birthDatePattern } from '#contract/platform/fields.ts'
import { level } from '#contract/people/members.ts'
import { isFault, problemAt, type ImportFault, type ImportProblem, type Place } from './import-problem.ts'
import type { GivenRecord, GivenRecords } from './read-records.ts'

/* Reads cells of a file, which are texts in a spreadsheet and values in JSON. */

const words: Record<string, boolean> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
}

export const flag = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' ? (words[value.toLowerCase()] ?? value) : value,
  ),
  z.boolean('yes_no'),
)

export const levelOrWord = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' && /^\d$/.test(value) ? Number(value) : value)),
  level,
)

/** A date, or an ISO 8601 time, in UTC unless stated otherwise; or milliseconds since 1970. */
export const pastTime = z.pipe(
  z.transform((value: unknown) => readTime(value, Date.now() + MINUTE)),
  z.date('time'),
)
/** A time that may be in the future, for deadlines. */
export const anyTime = z.pipe(
  z.transform((value: unknown) => readTime(value, Number.POSITIVE_INFINITY)),
  z.date('time'),
)

const timePattern =
  /^([12]\d{3}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,3})?\d{0,6} ?(Z|[+-]\d\d:\d\d)?)?$/

function readTime(value: unknown, latest: number): unknown {
  const at =
    typeof value === 'number' ? new Date(value) : typeof value === 'string' ? readWritten(value) : undefined
  const isRight =
    at !== undefined &&
    !Number.isNaN(at.getTime()) &&
    at.getTime() > 0 &&
    at.getTime() <= latest &&
    at.getUTCFullYear() < 3000
  return isRight ? at : value
}

function readWritten(text: string): Date | undefined {
  const found = timePattern.exec(text)
  if (!found) return undefined
  const [, day = '', minutes = '00:00', seconds = ':00', part = '', zone = 'Z'] = found
  // `Date` turns February 30 into March 1.
  const noon = new Date(`${day}T12:00:00Z`)
  if (!birthDatePattern.test(day) || Number.isNaN(noon.getTime())) return undefined
  return noon.toISOString().startsWith(day)
    ? new Date(`${day}T${minutes}${seconds}${part}${zone}`)
    : undefined
}

type ReadRecord<T> = { place: Place; value: T }

/** Validates records with the schema, and lists the problems of the others. `failed` contains their IDs. */
export function readAll<T>(
  schema: z.ZodMiniType<T>,
  { records, problems }: GivenRecords,
): { read: ReadRecord<T>[]; problems: ImportProblem[]; failed: Map<string, ImportProblem> } {
  const read: ReadRecord<T>[] = []
  const found: ImportProblem[] = [...problems]
  const failed = new Map<string, ImportProblem>()
  const names: Record<string, string> = Object.assign({}, ...records.map((each) => each.names))
  const there = new Set(records.flatMap(({ values }) => Object.keys(values)))
  const missing = new Map<string, ImportProblem>()
  const note = (issue: z.core.$ZodIssue, record: GivenRecord): ImportProblem => {
    const column = String(issue.path[0] ?? '')
    const fault = faultOf(issue, record.values[column])
    // Reported once for all records if the file has no such column.
    const isNowhere = fault === 'required' && !there.has(column)
    const problem =
      (isNowhere && missing.get(column)) ||
      (isNowhere
        ? problemAt({ line: 0, names }, column, 'column_missing')
        : problemAt({ ...record, names: { ...names, ...record.names } }, column, fault))
    if (isNowhere) missing.set(column, problem)
    else found.push(problem)
    return problem
  }
  for (const record of records) {
    const { values, ...place } = record
    const parsed = schema.safeParse(values)
    if (parsed.success) {
      read.push({ place, value: parsed.data })
      continue
    }
    const [first] = parsed.error.issues.map((issue) => note(issue, record))
    const { id } = values
    if (typeof id === 'string' && first && !failed.has(id)) failed.set(id, first)
  }
  return { read, problems: [...found, ...missing.values()], failed }
}

function faultOf(issue: z.core.$ZodIssue, value: unknown): ImportFault {
  if (value === undefined) return 'required'
  if (isFault(issue.message)) return issue.message
  // The contract has no separate error for number limits.
  if ('origin' in issue && issue.origin === 'number') return 'number'
  return issue.code === 'invalid_type' ? 'type' : 'invalid'
}
