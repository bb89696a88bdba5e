import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { dumpDatabase } from './dump.ts'
import { migrate } from './open-server.ts'
import { restoreExactly } from './restore.ts'
import { canSetAside, finishRestore, hasUnfinishedRestore, putBack, setAside } from './set-aside.ts'

async function aDatabase(): Promise<string> {
  const url = await copyTemplate()
  onTestFinished(() => dropDatabase(url))
  await query(url, "insert into audit_entry (action, subject_kind) values ('app-updated', 'app')")
  return url
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

async function aDump(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'set-aside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await dumpDatabase(url, join(folder, 'dump'))
  return join(folder, 'dump')
}

/** Everything in a schema: tables with their indexes and sequences, functions, and types. */
const objectsIn = (url: string, schema: string) =>
  query(
    url,
    `select relkind::text as kind, relname as name from pg_class where relnamespace = to_regnamespace('${schema}')
     union all select 'function', proname || pronargs from pg_proc where pronamespace = to_regnamespace('${schema}')
     union all select 'type', typname from pg_type where typnamespace = to_regnamespace('${schema}') order by 1, 2`,
  )

const countEntries = (url: string) => query(url, 'select count(*)::int as count from audit_entry')

test('sets aside everything that the migrations create, and restores the dump in its place', async () => {
  const url = await aDatabase()
  const before = await objectsIn(url, 'public')
  expect(before.length).toBeGreaterThan(300)
  const dump = await aDump(url)
  await query(url, "insert into audit_entry (action, subject_kind) values ('app-updated', 'app')")

  await setAside(url)
  expect(await objectsIn(url, 'public')).toEqual([])
  expect(await objectsIn(url, 'unfinished_restore')).toEqual(before)
  // No release starts on a restore that was interrupted. The restore can be repeated.
  await expect(migrate(url)).rejects.toThrow('The database is being restored.')
  await restoreExactly(url, dump)
  await expect(migrate(url)).rejects.toThrow('The database is being restored.')
  await setAside(url)
  expect(await objectsIn(url, 'public')).toEqual([])
  await restoreExactly(url, dump)

  await finishRestore(url, 'kept')
  expect(await objectsIn(url, 'public')).toEqual(before)
  expect(await countEntries(url)).toEqual([{ count: 1 }])
  expect(await query(url, 'select count(*)::int as count from kept.audit_entry')).toEqual([{ count: 2 }])
  expect(await hasUnfinishedRestore(url)).toBe(false)
  await migrate(url)
})

test('puts the tables back, or deletes them', async () => {
  const url = await aDatabase()
  const before = await objectsIn(url, 'public')
  await setAside(url)
  await query(url, 'create table half_restored (id int)')
  await putBack(url)
  expect(await objectsIn(url, 'public')).toEqual(before)
  await migrate(url)
  await setAside(url)
  await finishRestore(url, undefined)
  expect(await objectsIn(url, 'unfinished_restore')).toEqual([])
})

test('needs the right to create schemas', async () => {
  const url = await aDatabase()
  const { pathname, username } = new URL(url)
  expect(await canSetAside(url)).toBe(true)
  await query(url, `revoke create on database ${pathname.slice(1)} from public, ${username}`)
  expect(await canSetAside(url)).toBe(false)
  await expect(setAside(url)).rejects.toThrow('permission denied')
  await migrate(url)
})
