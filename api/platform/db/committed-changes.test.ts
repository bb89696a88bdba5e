import { afterAll, expect, test } from 'vitest'
import { startApi } from '#tests/setup/start-api.ts'
import { announceChange } from './changes.ts'
import { onCommitted } from './committed-changes.ts'
import { transaction } from './database.ts'

const { services } = await startApi({}, afterAll)
const { db } = services
const heard: string[] = []
onCommitted(db, (topic) => heard.push(topic))

test("a transaction's announcements are delivered here before its caller continues, but not before the commit", async () => {
  heard.length = 0
  await transaction(db, async (db) => {
    await announceChange(db, 'announcements')
    expect(heard).toEqual([])
  })
  expect(heard).toEqual(['announcements'])
})

test('nothing is delivered after a rollback', async () => {
  heard.length = 0
  const failing = transaction(db, async (db) => {
    await announceChange(db, 'announcements')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(heard).toEqual([])
})
