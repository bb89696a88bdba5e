import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { openDatabase, transaction, type Database, type Tx } from './database.ts'

async function aDatabase(options = {}): Promise<{ db: Database; elsewhere: pg.Client }> {
  const url = await copyTemplate()
  const db = openDatabase(url, () => {}, options)
  const elsewhere = new pg.Client({ connectionString: url })
  await elsewhere.connect()
  onTestFinished(async () => {
    await elsewhere.end()
    await db.destroy()
    await dropDatabase(url)
  })
  await sql`create table thing (id integer primary key, name text not null)`.execute(db)
  await sql`insert into thing values (1, 'one'), (2, 'two')`.execute(db)
  return { db, elsewhere }
}

const readThing = async (db: Tx, id: number) =>
  (await sql<{ name: string; size?: number }>`select * from thing where id = ${id}`.execute(db)).rows[0]

/** Names of the statements prepared on the connection. */
const preparedOn = async (db: Tx) =>
  (await sql<{ text: string }>`select statement as text from pg_prepared_statements`.execute(db)).rows.map(
    ({ text }) => text,
  )

/** Runs the work on a single connection. */
const onOne = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db.connection().execute((db) => work(db))

test('prepares a statement that is repeated, and no other', async () => {
  const { db } = await aDatabase()
  await onOne(db, async (db) => {
    for (let n = 0; n < 10; n += 1)
      expect((await readThing(db, 1 + (n % 2)))!.name).toBe(n % 2 ? 'two' : 'one')
    await sql`select ${'only once'}::text`.execute(db)
    expect(await preparedOn(db)).toEqual(['select * from thing where id = $1'])
  })
})

test('prepares nothing behind a pooler without support', async () => {
  const { db } = await aDatabase({ prepares: false })
  await onOne(db, async (db) => {
    for (let n = 0; n < 10; n += 1) await readThing(db, 1)
    expect(await preparedOn(db)).toEqual([])
  })
})

test('a connection keeps a limited number, the most recently used, and discarded ones still work', async () => {
  const { db } = await aDatabase()
  await onOne(db, async (db) => {
    const ask = async (n: number) =>
      (await sql<{ n: number }>`select ${1}::int as ${sql.ref(`n${n}`)}, ${n}::int as n`.execute(db)).rows[0]!
        .n
    for (let round = 0; round < 4; round += 1) for (let n = 0; n < 130; n += 1) expect(await ask(n)).toBe(n)
    const prepared = await preparedOn(db)
    expect(prepared).toHaveLength(60)
    expect(prepared.some((text) => text.includes('"n129"'))).toBe(true)
    expect(prepared.some((text) => text.includes('"n0"'))).toBe(false)
    expect(await ask(0)).toBe(0)
  })
})

test('statements prepared before another instance changed the schema use the new one', async () => {
  const { db, elsewhere } = await aDatabase()
  for (let n = 0; n < 5; n += 1) await readThing(db, 1)
  await elsewhere.query('alter table thing add column size integer not null default 7')
  expect(await readThing(db, 1)).toEqual({ id: 1, name: 'one', size: 7 })
  await elsewhere.query('alter table thing drop column size')
  let attempts = 0
  // These run on any connections.
  const both = await Promise.all(
    [1, 2].map((id) =>
      transaction(db, async (db) => {
        attempts += 1
        await sql`update thing set name = name || '!' where id = ${id}`.execute(db)
        return readThing(db, id)
      }),
    ),
  )
  expect(both).toEqual([
    { id: 1, name: 'one!' },
    { id: 2, name: 'two!' },
  ])
  expect(attempts).toBeLessThanOrEqual(4)
})

test('a statement that a pooler discarded still succeeds, alone and in a transaction', async () => {
  const { db } = await aDatabase()
  await onOne(db, async (db) => {
    for (let n = 0; n < 5; n += 1) await readThing(db, 1)
    await sql`discard all`.execute(db)
    expect((await readThing(db, 2))!.name).toBe('two')
  })
  for (let n = 0; n < 5; n += 1) await readThing(db, 1)
  await sql`discard all`.execute(db)
  expect((await transaction(db, (db) => readThing(db, 2)))!.name).toBe('two')
})

test("a statement that can't be planned without its values is run unprepared", async () => {
  const { db } = await aDatabase()
  await sql`create unique index thing_once on thing (name) where id > 0`.execute(db)
  const insert = (db: Tx, name: string) =>
    sql`insert into thing values (${3}, ${name}) on conflict (name) where id > ${0} do update set name = thing.name || '!'`.execute(
      db,
    )
  for (let n = 0; n < 20; n += 1) await insert(db, `one${'!'.repeat(n)}`)
  await transaction(db, async (db) => {
    for (let n = 0; n < 20; n += 1) await insert(db, `two${'!'.repeat(n)}`)
  })
  expect((await readThing(db, 1))!.name).toBe(`one${'!'.repeat(20)}`)
  expect((await readThing(db, 2))!.name).toBe(`two${'!'.repeat(20)}`)
})

test('an error in a statement stays an error, and the connection stays usable', async () => {
  const { db } = await aDatabase()
  await onOne(db, async (db) => {
    const insert = () => sql`insert into thing values (${1}, ${'again'})`.execute(db)
    for (let n = 0; n < 5; n += 1) await expect(insert()).rejects.toMatchObject({ code: '23505' })
    expect((await readThing(db, 1))!.name).toBe('one')
  })
})
