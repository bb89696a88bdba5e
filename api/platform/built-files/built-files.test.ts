import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { listKeptNames } from './built-file.queries.ts'
import { storeBuiltFiles, readBuiltFile, removeOldBuiltFiles, type BuiltFile } from './built-files.ts'

const aFile = (name: string, text = name): BuiltFile => ({ name, form: 'plain', bytes: Buffer.from(text) })
const [script, style] = [aFile('home-abcdef1.js'), aFile('home-abcdef2.css')]

const keep = async ({ services }: TestApi, ...files: BuiltFile[]) =>
  (await storeBuiltFiles(services, files)).stop()

const age = ({ services }: TestApi, name: string, days: number) =>
  sql`update built_file set kept_at = now() - ${days} * interval '1 day' where name = ${name}`.execute(
    services.db,
  )

test('every instance reads the files of one build, even after its instance ended', async () => {
  const first = await startApi()
  await keep(first, script, style)
  await keep(first, script, style)
  const second = await startAnotherInstance(first)
  expect(await readBuiltFile(second.services, script.name)).toEqual(script)
  expect((await listKeptNames(second.services.db)).sort()).toEqual([script.name, style.name])
  expect(await readBuiltFile(second.services, 'other-abcdef1.js')).toBeUndefined()
})

test('serves nothing that no instance stored: other bytes, names, or forms', async () => {
  const api = await startApi()
  await keep(api, script, style)
  const { db } = api.services
  await sql`update built_file set bytes = 'alert(1)' where name = ${script.name}`.execute(db)
  expect(await readBuiltFile(api.services, script.name)).toBeUndefined()
  await sql`insert into built_file (name, form, bytes, sealed_hash)
    select 'evil-abcdef1.js', form, bytes, sealed_hash from built_file where name = ${style.name}`.execute(db)
  expect(await readBuiltFile(api.services, 'evil-abcdef1.js')).toBeUndefined()
  await sql`update built_file set form = 'br' where name = ${style.name}`.execute(db)
  expect(await readBuiltFile(api.services, style.name)).toBeUndefined()
})

test.each(['x.js', '../etc-abcdef1.js', 'a/b-abcdef1.js', 'home-abcdef1.js '])(
  'stores nothing under the name %j',
  async (name) => {
    const api = await startApi()
    await expect(keep(api, aFile(name))).rejects.toThrow()
  },
)

test('deletes files a month after their last instance, earlier if many, but never of a running one', async () => {
  const api = await startApi()
  const { db } = api.services
  const [past, former, now] = ['past-abcdef1.js', 'former-abcdef1.js', 'now-abcdef1.js'] as const
  await keep(api, aFile(past), aFile(former), aFile(now))
  await age(api, past, 31)
  await age(api, former, 29)
  await removeOldBuiltFiles(db)
  expect((await listKeptNames(db)).sort()).toEqual([former, now])
  // Starting with the same build marks them as in use.
  await keep(api, aFile(former))
  await removeOldBuiltFiles(db, { filesMax: 0, bytesMax: 0 })
  expect(await listKeptNames(db)).toHaveLength(2)
  await age(api, former, 5)
  await removeOldBuiltFiles(db, { filesMax: 10, bytesMax: now.length })
  expect(await listKeptNames(db)).toEqual([now])
})
