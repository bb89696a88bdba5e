import { isDeepStrictEqual } from 'node:util'
import { parseDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problemAt, type ImportProblem, type Place } from './import-problem.ts'

/** A record to insert, with its position in the file. */
export type Planned<Row> = Place & { row: Row }

/** What a file would do. `kept` records exist and stay unchanged, because they may have been edited here. */
export type Plan<Row> = {
  made: Planned<Row>[]
  same: number
  kept: number[]
  problems: ImportProblem[]
  /** Additional remarks. */
  remarks: string[]
}

/** The members in the same import, and the first problem of each one that can't be imported. */
export type MembersOfImport = {
  made: ReadonlySet<string>
  failed: ReadonlyMap<string, ImportProblem>
}

/** Number of values per query. */
const atOnce = 1000

/** Queries in batches and returns all results. */
export async function inParts<T, R>(all: readonly T[], ask: (part: T[]) => Promise<R[]>): Promise<R[]> {
  const answers: R[][] = []
  for (let at = 0; at < all.length; at += atOnce) answers.push(await ask(all.slice(at, at + atOnce)))
  return answers.flat()
}

/** Reports records whose ID occurs on an earlier line. */
export function reportRepeated<Row extends { id: string }>(
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

/** Splits records into existing ones, equal or different in these columns, and new ones. */
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

/** Whether a row has the same values in these columns. Decimals are compared with the column's number of digits. */
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
