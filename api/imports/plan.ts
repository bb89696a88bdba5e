import { isDeepStrictEqual } from 'node:util'
import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { problemAt, type ImportProblem, type Place } from './import-problem.ts'

/** A record as it would be written, and where it stands. */
export type Planned<Row> = Place & { row: Row }

/** What a file would do: `kept` is there and stays as it is, because people may have changed it here. */
export type Plan<Row> = {
  made: Planned<Row>[]
  same: number
  kept: number[]
  problems: ImportProblem[]
  /** What is to be said besides. */
  remarks: string[]
}

/** The members that come with the same import, and the first fault of each of those that can't be taken. */
export type MembersOfImport = {
  made: ReadonlySet<string>
  failed: ReadonlyMap<string, ImportProblem>
}

/** So many at once: what is looked up goes to the database as one list. */
const atOnce = 1000

/** The answers for all of them, asked in parts. */
export async function inParts<T, R>(all: readonly T[], ask: (part: T[]) => Promise<R[]>): Promise<R[]> {
  const answers: R[][] = []
  for (let at = 0; at < all.length; at += atOnce) answers.push(await ask(all.slice(at, at + atOnce)))
  return answers.flat()
}

/** Those with an id that an earlier line has are problems. */
export function dropRepeated<Row extends { id: string }>(
  planned: readonly Planned<Row>[],
  problems: ImportProblem[],
): Planned<Row>[] {
  const ids = new Set<string>()
  return planned.filter((each) => {
    const { id } = each.row
    const isFirst = !ids.has(id)
    if (!isFirst) problems.push(problemAt(each, 'id', 'id_twice'))
    ids.add(id)
    return isFirst
  })
}

/** Which are there already, the same in these columns or otherwise; the rest is new. */
export async function sortByStored<Row extends { id: string }, Stored extends { id: string }>(
  db: Tx,
  planned: readonly Planned<Row>[],
  list: (db: Tx, ids: readonly string[]) => Promise<Stored[]>,
  isSame: (row: Row, stored: Stored) => boolean,
): Promise<Pick<Plan<Row>, 'made' | 'same' | 'kept'>> {
  const found = await inParts(
    planned.map(({ row }) => row.id),
    (ids) => list(db, ids),
  )
  const stored = new Map(found.map((each) => [each.id, each]))
  const made = planned.filter(({ row }) => !stored.has(row.id))
  const there = planned.filter(({ row }) => stored.has(row.id))
  const kept = there.filter(({ row }) => !isSame(row, stored.get(row.id)!)).map(({ line }) => line)
  return { made, kept, same: there.length - kept.length }
}

/** Whether a row says the same in these columns. Decimals have as many digits as their column. */
export function isSameIn<Row extends object>(row: Row, stored: object, columns: readonly (keyof Row)[]) {
  const values = stored as Record<keyof Row, unknown>
  return columns.every((column) => isSameValue(row[column], values[column]))
}

const decimal = /^\d{1,20}\.\d+$/

const isSameValue = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' &&
  typeof b === 'string' &&
  (decimal.test(a) || decimal.test(b)) &&
  isNumber(a) &&
  isNumber(b)
    ? parseDecimal(a) === parseDecimal(b)
    : isDeepStrictEqual(a, b)

const isNumber = (text: string): boolean => /^\d{1,20}(\.\d{1,18})?$/.test(text)
