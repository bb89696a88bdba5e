import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aNewsroom, everywhere, inTime, nowhere, whereReadersFind } from '#tests/newsroom.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { listenToChanges } from '../../../platform/db/changes.ts'
import type { Services } from '../../../platform/services.ts'
import { publishWhatIsDue, startPublishWorker } from './publish-worker.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { call, create, read, remove } = await aNewsroom(started)

const aScheduled = (title: string) => create({ title, status: 'scheduled', ...inTime(HOUR) })

/** Simulates that time has passed, because no one can schedule into the past. */
const makeDue = (id: string, secondsAgo = 1) =>
  services.db
    .updateTable('announcement')
    .set({ publish_at: sql<Date>`now() - ${secondsAgo} * interval '1 second'` })
    .where('id', '=', id)
    .execute()

const publications = async (ids: string[]) =>
  (
    await services.db
      .selectFrom('audit_entry')
      .select(['subject_id', 'actor_id'])
      .where('action', '=', 'announcement-published')
      .where('subject_id', 'in', ids)
      .execute()
  ).map(({ subject_id, actor_id }) => [subject_id, actor_id])

function run(on: Services = services) {
  const worker = startPublishWorker(on)
  onTestFinished(() => worker.stop())
  return worker
}

test('publishes posts that became due during downtime at the next start, once, dated then', async () => {
  const post = await aScheduled('Due while it was down')
  await makeDue(post._id, 3 * 24 * 3600)
  const early = await aScheduled('Not due yet')
  expect(await whereReadersFind(started, post)).toEqual(nowhere)
  run()
  await expect.poll(async () => (await read(post._id)).state).toBe('published')
  expect(await whereReadersFind(started, post)).toEqual(everywhere)
  const shown = await read(post._id)
  expect(shown).toMatchObject({ publishAt: null, zone: null, version: 1 })
  expect(Date.now() - Date.parse(shown.postedDate)).toBeLessThan(60_000)
  const [version] = (await call(api.listPostVersions, { params: { id: post._id } })).body
  expect(version!.publishedAt).toBe(shown.postedDate)
  expect((await read(early._id)).state).toBe('scheduled')
  run()
  expect(await publishWhatIsDue(services)).toBeGreaterThan(0)
  expect(await publications([post._id, early._id])).toEqual([[post._id, null]])
})

test('exactly one instance publishes each post', async () => {
  const other = await startAnotherInstance(started)
  const ids: string[] = []
  for (let n = 0; n < 24; n += 1) ids.push((await aScheduled(`Raced ${n}`))._id)
  for (const id of ids) await makeDue(id)
  const racers = [services, other.services, services, other.services]
  await Promise.all(racers.map((each) => publishWhatIsDue(each)))
  expect((await publications(ids)).map(([id]) => id).toSorted()).toEqual(ids.toSorted())
  for (const id of ids) expect((await read(id)).state).toBe('published')
})

test('publishes on time while running, and refreshes readers’ pages', async () => {
  const heard: string[] = []
  const changes = listenToChanges(services.config.databaseUrl!)
  onTestFinished(() => changes.close())
  const worker = run()
  changes.on((topic) => {
    heard.push(topic)
    if (topic === 'announcements') worker.wake()
  })
  await expect.poll(() => heard).toContain('announcements')
  const moment = inTime(1500)
  const post = await create({ title: 'On the dot', status: 'scheduled', ...moment })
  heard.length = 0
  await new Promise((resolve) => setTimeout(resolve, Date.parse(moment.publishAt) - Date.now()))
  await read(post._id)
  const usual = Date.now() - Date.parse(moment.publishAt)
  await expect.poll(async () => (await read(post._id)).state, { interval: 100 }).toBe('published')
  const late = Date.parse((await read(post._id)).postedDate) - Date.parse(moment.publishAt)
  expect(late).toBeGreaterThanOrEqual(0)
  // A timer of our own for the same moment, and a request after it, show how late this machine is in general.
  expect(late).toBeLessThan(2000 + 10 * usual)
  await expect.poll(() => heard).toContain('announcements')
})

test('another instance publishes what a killed one had locked', async () => {
  const post = await aScheduled('Half done')
  await makeDue(post._id)
  const killed = new pg.Client({ connectionString: services.config.databaseUrl! })
  killed.on('error', () => {})
  await killed.connect()
  const { rows } = await killed.query('select pg_backend_pid() as pid')
  await killed.query('begin')
  await killed.query(`select id from announcement where id = $1 for update`, [post._id])
  await killed.query(
    `update announcement set state = 'published', publish_at = null, publish_zone = null where id = $1`,
    [post._id],
  )
  await publishWhatIsDue(services)
  expect((await read(post._id)).state).toBe('scheduled')
  await sql`select pg_terminate_backend(${rows[0].pid})`.execute(services.db)
  run()
  await expect.poll(async () => (await read(post._id)).state).toBe('published')
  expect(await publications([post._id])).toHaveLength(1)
})

test('continues after a database outage', async () => {
  const other = await startAnotherInstance(started)
  const post = await aScheduled('After the outage')
  const name = new URL(services.config.databaseUrl!).pathname.slice(1)
  const url = new URL(services.config.databaseUrl!)
  url.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  run(other.services)
  await makeDue(post._id)
  try {
    await admin.query(`alter database ${name} allow_connections false`)
    // Autovacuum workers are listed too, and belong to a role that the tests may not terminate.
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user`,
      [name],
    )
    await new Promise((resolve) => setTimeout(resolve, 2500))
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
  }
  await expect.poll(async () => (await read(post._id)).state).toBe('published')
  expect(await publications([post._id])).toHaveLength(1)
})

test('a post that cannot be published delays no other and is retried', async () => {
  const [bad, good] = [await aScheduled('Stuck'), await aScheduled('Next in line')]
  await makeDue(bad._id, 60)
  await makeDue(good._id, 30)
  await sql`create function refuse_stuck() returns trigger language plpgsql as
    $$ begin raise exception 'stuck'; end $$`.execute(services.db)
  await sql`create trigger stuck before update on announcement for each row
    when (new.title = 'Stuck') execute function refuse_stuck()`.execute(services.db)
  await publishWhatIsDue(services)
  expect([(await read(bad._id)).state, (await read(good._id)).state]).toEqual(['scheduled', 'published'])
  await sql`drop trigger stuck on announcement`.execute(services.db)
  await publishWhatIsDue(services)
  expect((await read(bad._id)).state).toBe('published')
})

test('canceled, deleted, or rescheduled posts are not published', async () => {
  const posts = [await aScheduled('Given up'), await aScheduled('Deleted'), await aScheduled('Moved')]
  for (const { _id } of posts) await makeDue(_id)
  const [givenUp, deleted, moved] = posts.map(({ _id }) => _id)
  await call(api.unpublishPost, { params: { id: givenUp! }, body: {} })
  await remove(deleted!)
  await call(api.schedulePost, { params: { id: moved! }, body: inTime(HOUR) })
  await publishWhatIsDue(services)
  expect(await Promise.all(posts.map(async ({ _id }) => (await read(_id)).state))).toEqual([
    'draft',
    'deleted',
    'scheduled',
  ])
})

test('publishes a change that is being saved when the time comes', async () => {
  const post = await aScheduled('Saved at the last moment')
  await makeDue(post._id)
  const [answer] = await Promise.all([
    call(api.updateAnnouncement, {
      body: { _id: post._id, title: 'Last word', category: 'News', language: 'en', content: '<p>New</p>' },
    }),
    publishWhatIsDue(services),
  ])
  expect(answer.status).toBe(200)
  await publishWhatIsDue(services)
  const versions = (await call(api.listPostVersions, { params: { id: post._id } })).body
  expect(versions[0]).toMatchObject({ n: 2, title: 'Last word', publishedAt: expect.any(String) })
  expect(await publications([post._id])).toHaveLength(1)
})
