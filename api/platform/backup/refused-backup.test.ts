import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { aFolder, anEmptyMachine, anInstallation, identity, later } from '#tests/setup/backups.ts'
import { openDiskStore } from '../files/file-store.ts'
import { openExistingStore } from '../files/open-store.ts'
import { requireCommonStore } from '../jobs/share-store.ts'
import { StartRefused } from '../start-refused.ts'
import { makeIdentity } from './age.ts'
import { backUpErasures, encrypted, makeBackup, type BackupOf } from './make-backup.ts'
import { listStamps, readManifest } from './manifest.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'

test('rejects a file store that is not the installation’s instead of backing up no files', async () => {
  const { started, of } = await anInstallation()
  const apart: BackupOf = { ...of, files: openDiskStore(await aFolder()) }
  await of.files.put('erased/member/a', Buffer.from(new Date().toISOString()))
  await makeBackup(of)
  for (const backUp of [makeBackup, backUpErasures])
    await expect(backUp({ ...apart, now: later(1) })).rejects.toThrow('The file storage is empty')

  // While the product runs, and also if the other store is not empty.
  await apart.files.put('kyc/other', Buffer.from('other'))
  await requireCommonStore(started.services)
  for (const backUp of [makeBackup, backUpErasures])
    await expect(backUp({ ...apart, now: later(2) })).rejects.toThrow('uses a different file storage')
  await makeBackup({ ...of, now: later(3) })

  const dataDir = await aFolder()
  const ofCommand = { storageUrl: undefined, dataDir: join(dataDir, 'data') }
  expect(() => openExistingStore(ofCommand)).toThrow(StartRefused)
  await openDiskStore(join(dataDir, 'data/files')).put('kyc/a', Buffer.from('a'))
  expect(await openExistingStore(ofCommand).listAll()).toEqual(['kyc/a'])
})

test('a target accepts backups for one key, because another could not open them', async () => {
  const { of } = await anInstallation()
  await of.files.put('kyc/old', Buffer.from('old'))
  const { stamp } = await makeBackup(of)
  expect((await readManifest(of.target, stamp)).bytes.includes(of.recipient)).toBe(false)
  const other = await makeIdentity()
  const changed = { ...of, recipient: other.recipient, now: later(1) }
  for (const backUp of [makeBackup, backUpErasures])
    await expect(backUp(changed)).rejects.toThrow('Use an empty BACKUP_TO')
  expect(await listStamps(of.target)).toEqual([stamp])

  const target = openDiskStore(await aFolder())
  await makeBackup({ ...changed, target })
  const { into } = await anEmptyMachine()
  await restoreBackup({ target, identity: other.identity, workDir: of.workDir }, into)
  expect((await into.files.get('kyc/old'))?.toString()).toBe('old')
})

test('a clock that is or was ahead deletes no backup, and none is made or restored with it', async () => {
  const { of } = await anInstallation()
  const { stamp: first } = await makeBackup(of)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * DAY })
  onTestFinished(() => void vi.useRealTimers())
  await expect(makeBackup(of)).rejects.toThrow('The clocks of this machine and the database differ')
  vi.useRealTimers()

  // Both run on the same machine.
  const { stamp: wrong } = await makeBackup({ ...of, now: later((40 * DAY) / MINUTE) })
  expect(await listStamps(of.target)).toEqual([first, wrong])
  await expect(makeBackup({ ...of, now: later(1) })).rejects.toThrow(`remove manifests/${wrong}`)
  const from = { target: of.target, identity, workDir: of.workDir }
  await expect(verifyBackup(from)).rejects.toThrow('Name the backup to restore')
  const { into } = await anEmptyMachine()
  await expect(restoreBackup(from, into)).rejects.toThrow(wrong)
  await verifyBackup({ ...from, stamp: first })

  await of.target.remove(`manifests/${wrong}`)
  const { stamp: next } = await makeBackup({ ...of, now: later(1) })
  expect(await listStamps(of.target)).toEqual([first, next])
})

test('an erasure record only erases its own subject, and an unreadable one is named', async () => {
  const { of } = await anInstallation()
  const at = new Date().toISOString()
  await of.files.put('erased/member/left', Buffer.from(at))
  await makeBackup(of)
  const from = { target: of.target, identity, workDir: of.workDir }
  await verifyBackup(from)

  const bytes = (await of.target.get('files/erased/member/left'))!
  const own = async (key: string) => encrypted((await makeIdentity()).recipient, Buffer.from(`${key}\n${at}`))
  for (const [key, forged] of [
    ['erased/member/copied', bytes],
    ['erased/member/other-key', await own('erased/member/other-key')],
    ['erased/member/junk', Buffer.from('junk')],
  ] as const) {
    await of.target.put(`files/${key}`, forged)
    await expect(verifyBackup(from)).rejects.toThrow(key)
    const { into, key: taken } = await anEmptyMachine()
    await expect(restoreBackup(from, into)).rejects.toThrow(key)
    expect([await into.files.listAll(), taken()]).toEqual([[], undefined])
    if (!key.endsWith('junk')) await of.target.remove(`files/${key}`)
  }

  const { into } = await anEmptyMachine()
  await restoreBackup({ ...from, skipsBrokenNotes: true }, into)
  expect(await into.files.listAll()).toEqual(['erased/member/left'])
  expect((await into.files.get('erased/member/left'))?.toString()).toBe(at)
})
