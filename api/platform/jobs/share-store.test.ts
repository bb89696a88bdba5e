import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '#tests/setup/start-api.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { openDatabase } from '../db/database.ts'
import { openDiskStore, type FileStore } from '../files/file-store.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { poolLimitsDefault } from '../config/pool-limits.ts'
import { StartRefused } from '../start-refused.ts'
import { instance } from './instance.ts'
import { lockInstances, recordHeartbeat, recordGone } from './job.queries.ts'
import { leaveStore, removeOldMarks, requireCommonStore } from './share-store.ts'

const anInstance = (host = 'a-host') => ({ ...instance, id: randomUUID(), host })

async function aStore() {
  const directory = await makeTemporary('a-store')
  onTestFinished(() => removeTemporary(directory))
  return { directory, files: openDiskStore(join(directory, 'files')) }
}

test('instances with one store can start, and one with its own store is refused while another runs', async () => {
  const { services } = await startApi()
  const [common, apart] = [services, { ...services, files: (await aStore()).files }]
  const [first, second, third] = [anInstance('first-host'), anInstance(), anInstance()]
  await requireCommonStore(common, first)
  await requireCommonStore(common, second)
  await expect(requireCommonStore(apart, third)).rejects.toThrow(/STORAGE_URL/)
  await expect(requireCommonStore(apart, third)).rejects.toThrow(StartRefused)
  expect(await apart.files.list('instances')).toEqual([])

  for (const { id } of [first, second]) await leaveStore(common, id)
  expect(await common.files.list('instances')).toEqual([])
  await requireCommonStore(apart, third)
})

test('a copy of the store is another store', async () => {
  const { services } = await startApi()
  const { directory, files } = await aStore()
  await cp(join(services.config.dataDir, 'files'), join(directory, 'files'), { recursive: true }).catch(
    () => {},
  )
  await requireCommonStore(services, anInstance())
  await expect(requireCommonStore({ ...services, files }, anInstance())).rejects.toThrow(StartRefused)
})

test('after a restore no start waits for the instances of the backup', async () => {
  const { services } = await startApi()
  await requireCommonStore(services, anInstance())
  await sql`select end_what_was_open(now())`.execute(services.db)
  await requireCommonStore({ ...services, files: (await aStore()).files }, anInstance())
})

test('of two concurrent starts with separate stores one is refused', async () => {
  const { services } = await startApi()
  const other = { ...services, files: (await aStore()).files }
  const both = await Promise.allSettled([
    requireCommonStore(services, anInstance()),
    requireCommonStore(other, anInstance()),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an instance of a release without marks blocks nobody, nor does an unreachable store', async () => {
  const { services } = await startApi()
  await recordHeartbeat(services.db, anInstance())
  await requireCommonStore(services, anInstance())
  const put = () => Promise.reject(new StoreFailed(new Error('full')))
  await requireCommonStore({ ...services, files: { ...services.files, put } }, anInstance())
})

test('marks of killed instances are removed once the instances are deleted', async () => {
  const { services } = await startApi()
  const [alive, killed] = [anInstance(), anInstance()]
  for (const each of [alive, killed]) await requireCommonStore(services, each)
  await recordGone(services.db, killed.id)
  await removeOldMarks(services)
  expect(await services.files.list('instances')).toEqual([`instances/${alive.id}`])
})

test('a slow store delays nobody: all marks are requested at once, outside database locks', async () => {
  const { services } = await startApi()
  const { db, files } = services
  for (const each of [anInstance(), anInstance()]) await requireCommonStore(services, each)
  const isFree: unknown[] = []
  let [atOnce, most] = [0, 0]
  async function slowly<T>(work: Promise<T>): Promise<T> {
    most = Math.max(most, (atOnce += 1))
    const { rows } = await sql`
      select pg_try_advisory_xact_lock_shared(hashtextextended('program_instance', 0)) as it`.execute(db)
    isFree.push((rows[0] as { it: boolean }).it)
    await setTimeout(20)
    atOnce -= 1
    return work
  }
  const slow: FileStore = {
    ...files,
    put: (key, bytes) => slowly(files.put(key, bytes)),
    get: (key) => slowly(files.get(key)),
    list: (folder) => slowly(files.list(folder)),
    remove: (key) => slowly(files.remove(key)),
  }
  await requireCommonStore({ ...services, files: slow }, anInstance())
  expect(most).toBe(2)
  await files.put('instances/gone', Buffer.from('gone'))
  await removeOldMarks({ db, files: slow })
  expect(await files.list('instances')).toHaveLength(3)
  expect(isFree).toEqual(Array.from({ length: 5 }, () => true))
})

test('a database that does not answer in time then stops no start', async () => {
  const { services } = await startApi()
  const limits = { ...poolLimitsDefault, statement: 100 }
  const db = openDatabase(services.config.databaseUrl!, () => {}, { limits })
  onTestFinished(() => db.destroy())
  await services.db.transaction().execute(async (held) => {
    await lockInstances(held)
    await requireCommonStore({ ...services, db }, anInstance())
  })
})
