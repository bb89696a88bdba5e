import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { listStoredColumns, type StoredColumn } from '#api/platform/db/dump-catalogue.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { listUndeclared, rulesOf } from '../../scripts/copy/scrub-rules.ts'

async function readColumns(): Promise<StoredColumn[]> {
  const url = await copyTemplate()
  onTestFinished(() => dropDatabase(url))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await listStoredColumns(client)
  } finally {
    await client.end()
  }
}

test('every column that could hold personal data has a rule for copies (scripts/copy/scrub-rules.ts)', async () => {
  const columns = await readColumns()
  expect(columns.length).toBeGreaterThan(1000)
  expect(listUndeclared(columns)).toEqual([])
})

test('a new column or table needs a rule unless it holds numbers, times, or references', () => {
  const of = (column: string, type: string, category: string, isReference = false): StoredColumn => ({
    table: 'member',
    column,
    type,
    category,
    isReference,
  })
  const needy = [
    of('nickname', 'text', 'S'),
    of('picture', 'bytea', 'U'),
    of('settings', 'jsonb', 'U'),
    of('hobbies', 'text[]', 'A'),
    of('born_on', 'date', 'D'),
    of('last_address', 'inet', 'I'),
    { ...of('legs', 'integer', 'N'), table: 'pet' },
  ]
  expect(listUndeclared(needy)).toEqual(needy.map(({ table, column }) => `${table}.${column}`))
  const fine = [
    of('visits', 'integer', 'N'),
    of('seen_at', 'timestamp with time zone', 'D'),
    of('is_seen', 'boolean', 'B'),
    of('mood', 'mood', 'E'),
    of('friend_id', 'text', 'S', true),
  ]
  expect(listUndeclared(fine)).toEqual([])
})

test('columns with sealed values and credentials are never kept', async () => {
  const secret =
    /sealed|password|secret|token_hash|refresh|xsrf|code_hash|link_hash|_key_id$|signature|credential/
  const kept = (await readColumns()).filter(({ table, column, category }) => {
    const rules = rulesOf(table)
    const isOpen = rules !== 'emptied' && /^(?:keep|undefined)$/.test(String(rules[column]))
    return isOpen && secret.test(column) && !['B', 'D'].includes(category)
  })
  expect(kept).toEqual([])
})
