import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { aWayTo } from '#tests/setup/way-to-database.ts'
import { announceChange, listenToChanges, type Topic } from './changes.ts'
import { openDatabase, transaction, type Database } from './database.ts'

test('a silent connection is not relied on, and is used again once it responds', async () => {
  const database = await copyTemplate()
  onTestFinished(() => dropDatabase(database))
  const { way, url } = await aWayTo(database)
  const changes = listenToChanges(url, 200)
  onTestFinished(() => changes.close())
  let isListening = false
  changes.onListening((next) => (isListening = next))
  await expect.poll(() => isListening).toBe(true)
  way.isSilent = true
  await expect.poll(() => isListening).toBe(false)
  way.isSilent = false
  await expect.poll(() => isListening).toBe(true)
})

async function aListener(): Promise<{ db: Database; told: Topic[] }> {
  const database = await copyTemplate()
  const db = openDatabase(database, () => {})
  const changes = listenToChanges(database, 200)
  onTestFinished(async () => {
    await changes.close()
    await db.destroy()
    await dropDatabase(database)
  })
  const told: Topic[] = []
  let isListening = false
  changes.onListening((next) => (isListening = next))
  await expect.poll(() => isListening).toBe(true)
  changes.on((topic) => told.push(topic))
  return { db, told }
}

/** Waits for three times the interval between reads. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 700))

test('a change without a notification is read, and none is reported twice', async () => {
  const { db, told } = await aListener()
  // Behaves like a pooler that reassigns connections: the row exists, but no notification arrives.
  await sql`insert into change (topic) values ('announcements')`.execute(db)
  await expect.poll(() => told).toEqual(['announcements'])
  await transaction(db, (db) => announceChange(db, 'content'))
  await expect.poll(() => told).toEqual(['announcements', 'content'])
  await aWhile()
  expect(told).toEqual(['announcements', 'content'])
})

test('reads changes of a transaction that started earlier and committed later', async () => {
  const { db, told } = await aListener()
  const { promise: isRead, resolve: go } = Promise.withResolvers<void>()
  const late = transaction(db, async (db) => {
    await sql`insert into change (topic) values ('ambassadors')`.execute(db)
    await isRead
  })
  await aWhile()
  await sql`insert into change (topic) values ('announcements')`.execute(db)
  await expect.poll(() => told).toEqual(['announcements'])
  await aWhile()
  go()
  await late
  await expect.poll(() => told).toEqual(['announcements', 'ambassadors'])
})
