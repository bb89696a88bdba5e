import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '#tests/setup/start-api.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { openDiskStore } from '../files/file-store.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { StartRefused } from '../start-refused.ts'
import { instance } from './instance.ts'
import { noteAlive, noteGone } from './job.queries.ts'
import { removeMark, removeOldMarks, requireCommonStore } from './share-store.ts'

const anInstance = (host = 'a-host') => ({ ...instance, id: randomUUID(), host })

async function aStore() {
  const directory = await makeTemporary('a-store')
  onTestFinished(() => removeTemporary(directory))
  return { directory, files: openDiskStore(join(directory, 'files')) }
}

test('instances with one store start, one with a store of its own is refused while another lives', async () => {
  const { services } = await startApi()
  const [common, apart] = [services, { ...services, files: (await aStore()).files }]
  const [first, second, third] = [anInstance('first-host'), anInstance(), anInstance()]
  await requireCommonStore(common, first)
  await requireCommonStore(common, second)
  await expect(requireCommonStore(apart, third)).rejects.toThrow(/STORAGE_URL/)
  await expect(requireCommonStore(apart, third)).rejects.toThrow(StartRefused)
  expect(await apart.files.list('instances')).toEqual([])

  for (const { id } of [first, second]) {
    await noteGone(services.db, id)
    await removeMark(common.files, id)
  }
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

test('of two that start at once with stores apart one is refused', async () => {
  const { services } = await startApi()
  const other = { ...services, files: (await aStore()).files }
  const both = await Promise.allSettled([
    requireCommonStore(services, anInstance()),
    requireCommonStore(other, anInstance()),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an instance of a release that leaves no mark stops nobody, nor does a store that is out of reach', async () => {
  const { services } = await startApi()
  await noteAlive(services.db, anInstance())
  await requireCommonStore(services, anInstance())
  const put = () => Promise.reject(new StoreFailed(new Error('full')))
  await requireCommonStore({ ...services, files: { ...services.files, put } }, anInstance())
})

test('marks of instances that were killed go once they are forgotten', async () => {
  const { services } = await startApi()
  const [alive, killed] = [anInstance(), anInstance()]
  for (const each of [alive, killed]) await requireCommonStore(services, each)
  await noteGone(services.db, killed.id)
  await removeOldMarks(services)
  expect(await services.files.list('instances')).toEqual([`instances/${alive.id}`])
})
