import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import home from '#content/messages/en/home.json' with { type: 'json' }
import { aContentDesk } from '#tests/content-desk.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { listenToChanges } from '../../../platform/db/changes.ts'
import { transaction } from '../../../platform/db/database.ts'
import { applyPublished } from './apply-published.ts'
import { startContentWorker } from './content-worker.ts'
import { publishItems, readyToPublish } from './publish-items.ts'

const started = await startApi({}, afterAll)
const { services } = started
const desk = await aContentDesk(started)
const piece = 'messages/home'
const [key] = Object.keys(home) as [keyof typeof home]
const shownBy = ({ services: { content } }: TestApi) => content.words('en', 'home')![key]

/** Runs the worker like the server does: woken by database notifications. */
function run(on: TestApi) {
  const changes = listenToChanges(on.services.config.databaseUrl!)
  const worker = startContentWorker(on.services)
  const heard: string[] = []
  changes.on((topic) => {
    heard.push(topic)
    if (topic === worker.topic) worker.wake()
  })
  onTestFinished(async () => {
    await worker.stop()
    await changes.close()
  })
  return { heard, worker }
}

async function ready(text: string) {
  await desk.save(piece, { [`en.${key}`]: text })
  const { version } = await desk.read(piece)
  return [{ piece, version }]
}

test('other instances show what one publishes, and pages refresh once it applies', async () => {
  const other = await startAnotherInstance(started)
  const { heard } = run(other)
  await expect.poll(() => heard).toContain('content')
  const toldWith: unknown[] = []
  other.services.content.onChange(() => toldWith.push(shownBy(other)))
  await desk.put(piece, { [`en.${key}`]: 'In every instance.' })
  expect(shownBy(started)).toBe('In every instance.')
  await expect.poll(() => shownBy(other)).toBe('In every instance.')
  expect(toldWith.at(-1)).toBe('In every instance.')
})

test('shows what was published during a lost connection once it is restored', async () => {
  const other = await startAnotherInstance(started)
  const { heard } = run(other)
  await expect.poll(() => heard).toContain('content')
  heard.length = 0
  const url = new URL(services.config.databaseUrl!)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  const ended = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'changes'`,
    [name],
  )
  expect(ended.rowCount).toBeGreaterThan(0)
  await admin.end()
  await desk.put(piece, { [`en.${key}`]: 'Meanwhile.' })
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('content')
  await expect.poll(() => shownBy(other), { timeout: 10_000 }).toBe('Meanwhile.')
})

test('undoes an interrupted publication, and applies a committed one at the next start', async () => {
  const how = { by: desk.editor.id, confirmedBy: null, newVersions: [], origin: 'console' as const }
  const rows = async () =>
    (
      await sql<{
        n: string
      }>`select (select count(*) from content_version) || ' ' || (select count(*) from audit_entry
      where action = 'content-published') as n`.execute(services.db)
    ).rows[0]!.n
  const before = await rows()
  const given = await ready('Half done.')
  await expect(
    transaction(services.db, async (db) => {
      await publishItems(db, services, await readyToPublish(db, services.keys, given), how)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await rows()).toBe(before)
  expect((await desk.read(piece)).hasDraft).toBe(true)
  // Simulates a crash after the commit, before anything was applied.
  await transaction(services.db, async (db) => {
    await publishItems(db, services, await readyToPublish(db, services.keys, given), how)
  })
  expect(shownBy(started)).not.toBe('Half done.')
  const next = await startAnotherInstance(started)
  await applyPublished(next.services)
  expect(shownBy(next)).toBe('Half done.')
})

test('concurrent publications run one after the other, and both apply', async () => {
  const second = await aContentDesk(started)
  // A second try must have something to publish, even if the first published it.
  const [first, other] = [1, 2].map((n) => `Text ${n} of ${randomUUID()}`)
  await desk.save(piece, { [`en.${key}`]: first })
  await second.save('messages/placeholder', { 'en.placeholder.home': other })
  const answers = await Promise.all([desk.publish([piece]), second.publish(['messages/placeholder'])])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(shownBy(started)).toBe(first)
  expect(services.content.words('en', 'placeholder')!['placeholder.home']).toBe(other)
})

test('of two publications of the same draft, one gets a conflict', async () => {
  const given = await ready('Published once.')

  const answers = await Promise.all(
    [1, 2].map(() => desk.call(api.publishContent, { body: { pieces: given } })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
