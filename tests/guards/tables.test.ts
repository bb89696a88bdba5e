import { expect, test } from 'vitest'
import { sourcesIn, textOf } from './source-files.ts'

/** `place: table`, each with its reason. */
const openings: Record<string, string> = {}

const writes =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"](\w+)|\b(?:insert into|update(?! set)|delete from|merge into|truncate(?: table)?)\s+"?([a-z_]+)"?/g

const list = textOf('api/platform/db/rows.ts').split('export interface DB {')[1] ?? ''
const tables = [...list.matchAll(/^ {2}(\w+): \w+;$/gm)].map((match) => match[1]!)

/** Returns the wing and the folder of a module, or its file if it has no folder. */
const placeOf = (file: string): string => file.split('/').slice(1, 3).join('/')

/** Returns the writers of each table. The database code itself names none. */
function readWriters(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const file of sourcesIn('api')) {
    for (const [, built, raw] of textOf(file).matchAll(writes)) {
      const table = built ?? raw!
      if (!tables.includes(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(placeOf(file)))
    }
  }
  return writers
}

test('each table is written in one place of the API', () => {
  const writers = readWriters()
  expect(tables.length).toBeGreaterThan(10)
  expect([...writers.keys()].toSorted()).toEqual(tables.toSorted())
  const shared = [...writers].flatMap(([table, places]) =>
    [...places].filter((place) => !(`${place}: ${table}` in openings)).length > 1
      ? [`${table}: ${[...places].join(', ')}`]
      : [],
  )
  expect(shared).toEqual([])
})

test('SQL stands in the queries of its noun, or in the machinery of the database', () => {
  const elsewhere = sourcesIn('api')
    .filter((file) => !file.startsWith('api/platform/db/') && !file.endsWith('.queries.ts'))
    .filter((file) =>
      /^import (?!type).*'(?:kysely|pg)'|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/m.test(
        textOf(file),
      ),
    )
  expect(elsewhere).toEqual([])
})

test('times in SQL are reckoned from now by `fromNow` and `ago` alone', () => {
  const byHand = sourcesIn('api')
    .filter((file) => file !== 'api/platform/db/expressions.ts')
    .filter((file) => /\bnow\(\)\s*[-+]\s*(?:interval\b|\$\{)/.test(textOf(file)))
  expect(byHand).toEqual([])
})

test('a page is cut in one place: nobody else asks for a row in excess', () => {
  const cutting = sourcesIn('api')
    .filter((file) => file !== 'api/platform/db/read-page.ts')
    .filter((file) => /\b(?:limit|size)\w*\s*\+\s*1\b/i.test(textOf(file)))
  expect(cutting).toEqual([])
})

test('the web and its server know no database', () => {
  const knowing = ['web', 'serve', 'contract']
    .flatMap(sourcesIn)
    .filter((file) => /from '(kysely|pg)'/.test(textOf(file)))
  expect(knowing).toEqual([])
})
