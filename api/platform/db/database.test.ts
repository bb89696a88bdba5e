import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { isOutage, openDatabase, transaction, type Database, type Tx } from './database.ts'

async function aDatabase(): Promise<Database> {
  const url = await copyTemplate()
  const db = openDatabase(url, () => {})
  onTestFinished(async () => {
    await db.destroy()
    await dropDatabase(url)
  })
  await sql`create table counter (name text primary key, count integer not null default 0)`.execute(db)
  await sql`insert into counter values ('a'), ('b')`.execute(db)
  return db
}

const countUp = (db: Tx, name: string) =>
  sql`update counter set count = count + 1 where name = ${name}`.execute(db)

const countsIn = async (db: Tx) =>
  (await sql<{ count: number }>`select count from counter order by name`.execute(db)).rows.map(
    ({ count }) => count,
  )

/** Fails like a transaction that the database aborts. */
const giveUp = (db: Tx, code: string) =>
  sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(db)

test('deadlocked transactions both succeed in the end, each once', async () => {
  const db = await aDatabase()
  let arrived = 0
  const { promise: bothHold, resolve } = Promise.withResolvers<void>()
  const inOrder = (first: string, second: string) =>
    transaction(db, async (db) => {
      await countUp(db, first)
      if ((arrived += 1) === 2) resolve()
      await bothHold
      await countUp(db, second)
    })
  await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
  expect(arrived).toBe(3)
  expect(await countsIn(db)).toEqual([2, 2])
})

test.each(['40001', '40P01'])('retries a transaction aborted by %s', async (code) => {
  const db = await aDatabase()
  let attempts = 0
  await transaction(db, async (db) => {
    await countUp(db, 'a')
    if ((attempts += 1) < 3) await giveUp(db, code)
  })
  expect(attempts).toBe(3)
  expect(await countsIn(db)).toEqual([1, 0])
})

test('a transaction that never succeeds is an outage, not a bug', async () => {
  const db = await aDatabase()
  let attempts = 0
  const failing = transaction(db, async (db) => {
    attempts += 1
    await giveUp(db, '40001')
  })
  const error = await failing.then(undefined, (failure: unknown) => failure)
  expect(isOutage(error)).toBe(true)
  expect(attempts).toBe(5)
})

test('a bug is not retried', async () => {
  const db = await aDatabase()
  let attempts = 0
  const failing = transaction(db, async () => {
    attempts += 1
    throw new Error('a bug')
  })
  await expect(failing).rejects.toThrow('a bug')
  expect(attempts).toBe(1)
})
