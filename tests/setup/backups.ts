import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { makeIdentity } from '#api/backup/age.ts'
import type { BackupOf } from '#api/backup/make-backup.ts'
import { openDiskStore, type FileStore } from '#api/files/file-store.ts'
import { DAY } from '#contract/durations.ts'
import { makeDatabase } from './database-before.ts'
import { startApi } from './start-api.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

export async function aFolder(): Promise<string> {
  const folder = await makeTemporary('backup')
  onTestFinished(() => removeTemporary(folder))
  return folder
}

export const { identity, recipient } = await makeIdentity()

export async function anInstallation(target?: FileStore) {
  const started = await startApi()
  const { config, files } = started.services
  const of: BackupOf = {
    url: config.databaseUrl!,
    files,
    masterKey: randomBytes(32),
    target: target ?? openDiskStore(await aFolder()),
    recipient,
    keep: 30 * DAY,
    workDir: await aFolder(),
  }
  return { started, of }
}

/** A new machine: an empty database, an empty store, no key. */
export async function anEmptyMachine() {
  const [url, folder] = [await makeDatabase(), await aFolder()]
  let key: Buffer | undefined
  const into = { url, files: openDiskStore(folder), takeKey: (given: Buffer) => void (key = given) }
  return { into, key: () => key }
}

export const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
