import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, anApplication } from '#tests/builders.ts'
import { aFolder, anEmptyMachine, anInstallation, identity, later } from '#tests/setup/backups.ts'
import { startS3Server } from '#tests/setup/s3-server.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { modules } from '../../app.ts'
import { openDatabase } from '../db/database.ts'
import { recordErasures } from '../erasure-notes/record-erasures.ts'
import { openDiskStore, type FileStore } from '../files/file-store.ts'
import { openBackupTarget } from '../files/open-store.ts'
import { repeatErasures } from '../../repeat-erasures.ts'
import { StartRefused } from '../start-refused.ts'
import { makeIdentity } from './age.ts'
import { backUpErasures, makeBackup } from './make-backup.ts'
import { listStamps } from './manifest.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'

const membersIn = async (url: string) => {
  const db = openDatabase(url, () => {})
  try {
    return await db.selectFrom('member').select(['id', 'email', 'erased_at']).orderBy('id').execute()
  } finally {
    await db.destroy()
  }
}

const erase = (started: TestApi, { password, token }: { password: string; token: string }) =>
  started.call(api.eraseMember, { body: { current: password } }, { token })

describe.each(['a directory', 'a bucket'])('to %s', (kind) => {
  async function aTarget(): Promise<FileStore> {
    if (kind === 'a directory') return openBackupTarget(await aFolder())
    const server = await startS3Server()
    onTestFinished(() => server.close())
    return openBackupTarget(server.url)
  }

  test('restores database, files, and key on an empty machine, but no one erased since', async () => {
    const { started, of } = await anInstallation(await aTarget())
    const [leaving, staying] = [await aSignedInMember(started), await aSignedInMember(started)]
    await anApplication(started, staying)
    const manifest = await makeBackup(of)
    expect(manifest.files.length).toBeGreaterThan(0)
    for (const name of await of.target.listAll()) {
      const bytes = (await of.target.get(name))!
      expect(bytes.includes('example.org'), name).toBe(false)
      expect(bytes.includes(of.masterKey.toString('base64')), name).toBe(false)
    }

    // Only a later run of the short command records it.
    expect((await erase(started, leaving)).status).toBe(200)
    await recordErasures(started.services)
    expect(await backUpErasures(of)).toBe(1)

    const { into, key } = await anEmptyMachine()
    const from = { target: of.target, identity, workDir: of.workDir }
    await verifyBackup(from)
    await restoreBackup(from, into)
    expect(key()?.equals(of.masterKey)).toBe(true)
    const photos = (await of.files.listAll()).filter((each) => !each.startsWith('erased/'))
    for (const each of photos)
      expect((await into.files.get(each))?.equals((await of.files.get(each))!)).toBe(true)
    expect((await membersIn(into.url)).map(({ id }) => id).toSorted()).toEqual(
      [leaving.id, staying.id].toSorted(),
    )

    // As on the next start.
    const db = openDatabase(into.url, () => {})
    onTestFinished(() => db.destroy())
    await repeatErasures({ ...started.services, db, files: into.files }, modules)
    const left = (await membersIn(into.url)).filter(({ erased_at }) => erased_at === null)
    expect(left.map(({ id }) => id)).toEqual([staying.id])

    // A second restore, or one on a machine with another installation, changes nothing.
    await expect(restoreBackup(from, into)).rejects.toThrow(/not empty/)
  })
})

test('an interrupted run is no backup, and the next one removes it', async () => {
  const { of } = await anInstallation()
  let puts = 0
  const { target } = of
  const failing: FileStore = {
    ...target,
    put: (name, bytes) => (puts++ === 1 ? Promise.reject(new Error('killed')) : target.put(name, bytes)),
  }
  await expect(makeBackup({ ...of, target: failing })).rejects.toThrow('killed')
  expect((await target.listAll()).length).toBe(1)
  expect(await listStamps(target)).toEqual([])
  const from = { target, identity, workDir: of.workDir }
  await expect(verifyBackup(from)).rejects.toThrow('no complete backup')
  const { stamp } = await makeBackup({ ...of, now: later(1) })
  expect(await listStamps(target)).toEqual([stamp])
  expect(
    (await target.listAll()).filter((name) => !name.includes(stamp) && !name.startsWith('files/')),
  ).toEqual([])
  expect(await readdir(of.workDir)).toEqual([])
})

test('copies files once, deletes old backups with their files, and keeps erasure records', async () => {
  const { of } = await anInstallation()
  await of.files.put('kyc/old', Buffer.from('old'))
  await of.files.put('erased/member/a', Buffer.from(new Date().toISOString()))
  await makeBackup(of)
  const first = await of.target.get('files/kyc/old')
  await of.files.put('kyc/new', Buffer.from('new'))
  await makeBackup({ ...of, now: later(1) })
  expect((await of.target.get('files/kyc/old'))!.equals(first!)).toBe(true)

  await of.files.remove('kyc/old')
  await of.files.remove('erased/member/a')
  const { stamp } = await makeBackup({ ...of, keep: 5 * DAY, now: later(60 * 24 * 6) })
  expect(await listStamps(of.target)).toEqual([stamp])
  const left = (await of.target.listAll()).filter((name) => name.startsWith('files/')).toSorted()
  expect(left).toEqual(['files/erased/member/a', 'files/kyc/new'])
  await verifyBackup({ target: of.target, identity, stamp, workDir: of.workDir })
})

test('rejects a backup that is incomplete, altered, or made by someone else', async () => {
  const { of } = await anInstallation()
  const { target } = of
  await of.files.put('kyc/a', Buffer.from('a photo'))
  const { stamp } = await makeBackup(of)
  const from = { target, identity, workDir: of.workDir }
  const names = await target.listAll()
  for (const name of names) {
    const bytes = (await target.get(name))!
    const altered = Buffer.from(bytes)
    altered[Math.floor(bytes.length / 2)]! ^= 1
    await target.put(name, altered)
    await expect(verifyBackup(from), `${name} altered`).rejects.toThrow(StartRefused)
    await target.remove(name)
    await expect(verifyBackup(from), `${name} missing`).rejects.toThrow(StartRefused)
    const { into, key } = await anEmptyMachine()
    await expect(restoreBackup(from, into)).rejects.toThrow(StartRefused)
    expect(key()).toSatisfy((given) => given === undefined || name.startsWith('files/'))
    await target.put(name, bytes)
  }
  await verifyBackup(from)
  const other = await makeIdentity()
  await expect(verifyBackup({ ...from, identity: other.identity })).rejects.toThrow('another key')
  // An attacker who can write to the target but does not know the recipient.
  await target.remove(`seals/${stamp}`)
  await expect(verifyBackup(from)).rejects.toThrow('doesn’t match its encrypted copy')
})

test('runs one backup at a time, and reports an unwritable target in a sentence', async () => {
  const { of } = await anInstallation()
  const { promise: isGoing, resolve: go } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const slow: FileStore = {
    ...of.target,
    async put(name, bytes) {
      begin()
      await isGoing
      await of.target.put(name, bytes)
    },
  }
  const first = makeBackup({ ...of, target: slow })
  await hasBegun
  await expect(makeBackup(of)).rejects.toThrow('Another backup')
  go()
  await first

  const folder = await aFolder()
  await writeFile(join(folder, 'database'), '')
  const full = openDiskStore(folder)
  await expect(makeBackup({ ...of, target: full })).rejects.toThrow(
    /isn’t responding, rejects requests, or is full\.$/,
  )
  await rm(folder, { recursive: true })
})
