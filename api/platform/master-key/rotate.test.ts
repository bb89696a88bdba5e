import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { anApplication, aPicture, aSignedInMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { openDatabase, transaction, type Database } from '../db/database.ts'
import { changeSigningKey, getSigningKey } from '../../publishing/announcements/signatures/signing-key.ts'
import { makeKeys, type Keys } from '../keys.ts'
import { findKycPhoto } from '../../people/kyc/kyc-photo.queries.ts'
import { findAnyKyc } from '../../people/kyc/kyc.queries.ts'
import { openDataKey, readPhoto } from '../../people/kyc/encrypted-documents.ts'
import { stagePhoto } from '../../people/kyc/upload-photo.ts'
import { withFingerprintKey } from './fingerprint-key.ts'
import { readOrMakeMasterKey } from './key-file.ts'
import { requireFittingKey, sealedColumns } from './re-encrypt.ts'
import { rotateMasterKey } from './rotate.ts'

/** A stopped installation with a key file: only the database and the files remain. */
async function aStoppedInstallation() {
  const started = await startApi()
  const { dataDir, databaseUrl } = started.services.config
  const master = readOrMakeMasterKey(dataDir)
  const keys = makeKeys(master)
  await started.services.db.deleteFrom('fingerprint_key').execute()
  Object.assign(started.services.keys, await withFingerprintKey(started.services.db, keys))
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member)
  await stagePhoto(await aPicture(), member.id, started.services)
  await started.services.db.destroy()
  const db = openDatabase(databaseUrl!, () => {})
  onTestFinished(() => db.destroy())
  return { started, db, dataDir, master, applicationId: _id }
}

async function canRead(db: Database, { services }: TestApi, keys: Keys, id: string): Promise<boolean> {
  const row = await findAnyKyc(db, id)
  const photo = await findKycPhoto(db, id, 0)
  try {
    const dataKey = openDataKey(keys, id, row!.sealed_data_key!)
    return (await readPhoto(services.files, dataKey, id, photo!.file_key)) !== undefined
  } catch {
    return false
  }
}

test('after a change the new key decrypts everything and the old one nothing', async () => {
  const { started, db, dataDir, master, applicationId } = await aStoppedInstallation()
  const settings = { dataDir, encryptionKey: undefined, nextEncryptionKey: undefined }
  // One application, one staged photo, one email, the fingerprint key.
  expect(await rotateMasterKey(db, settings)).toBe(4)
  const changed = readOrMakeMasterKey(dataDir)
  expect(changed.equals(master)).toBe(false)
  expect(await canRead(db, started, makeKeys(changed), applicationId)).toBe(true)
  expect(await canRead(db, started, makeKeys(master), applicationId)).toBe(false)
  expect(await rotateMasterKey(db, settings)).toBe(4)
})

test.each(['before', 'after'] as const)(
  'a change interrupted %s encryption prevents startup until it is completed',
  async (when) => {
    const { started, db, dataDir, master, applicationId } = await aStoppedInstallation()
    const settings = { dataDir, encryptionKey: undefined, nextEncryptionKey: undefined }
    const file = join(dataDir, 'keys', 'master.key')
    if (when === 'before') writeFileSync(`${file}.next`, randomBytes(32).toString('base64'))
    else {
      await rotateMasterKey(db, settings)
      writeFileSync(`${file}.next`, readFileSync(file))
      writeFileSync(file, master.toString('base64'))
    }
    expect(() => readOrMakeMasterKey(dataDir)).toThrow('npm run keys:rotate')
    expect(await rotateMasterKey(db, settings)).toBe(when === 'before' ? 4 : 0)
    expect(existsSync(`${file}.next`)).toBe(false)
    const keys = makeKeys(readOrMakeMasterKey(dataDir))
    expect(await canRead(db, started, keys, applicationId)).toBe(true)
  },
)

test('fingerprints stay the same, so that a rejected person is still recognized', async () => {
  const { db, dataDir, master } = await aStoppedInstallation()
  const person = Buffer.from('name ada example')
  const before = (await withFingerprintKey(db, makeKeys(master))).fingerprint(person)
  await rotateMasterKey(db, { dataDir, encryptionKey: undefined, nextEncryptionKey: undefined })
  const after = await withFingerprintKey(db, makeKeys(readOrMakeMasterKey(dataDir)))
  expect(after.fingerprint(person)).toBe(before)
})

test('a start with a key that does not fit the database fails with one sentence', async () => {
  const { db, master } = await aStoppedInstallation()
  await requireFittingKey(db, makeKeys(master))
  await expect(requireFittingKey(db, makeKeys(randomBytes(32)))).rejects.toThrow(
    /^The master key .*keys:rotate/,
  )
})

test('a key from the settings is replaced by the next one from the settings', async () => {
  const { started, db, dataDir, master, applicationId } = await aStoppedInstallation()
  const next = randomBytes(32)
  const settings = { dataDir, encryptionKey: master, nextEncryptionKey: undefined }
  await expect(rotateMasterKey(db, settings)).rejects.toThrow('NEXT_ENCRYPTION_KEY')
  expect(await rotateMasterKey(db, { ...settings, nextEncryptionKey: next })).toBe(4)
  expect(await canRead(db, started, makeKeys(next), applicationId)).toBe(true)
})

test('rejects a used key, the same key twice, or another secret with a sentence', async () => {
  const { db, master, dataDir } = await aStoppedInstallation()
  const next = randomBytes(32)
  const change = (encryptionKey: Buffer | undefined, nextEncryptionKey: Buffer | undefined) =>
    rotateMasterKey(db, { dataDir, encryptionKey, nextEncryptionKey })
  await expect(change(master, master)).rejects.toThrow('Set it to a new one')
  await expect(change(randomBytes(32), next)).rejects.toThrow('ENCRYPTION_KEY doesn’t match')
  await change(master, next)
  await expect(change(master, next)).rejects.toThrow('The rotation is already complete')
  await expect(change(master, randomBytes(32))).rejects.toThrow('ENCRYPTION_KEY doesn’t match')
  await expect(change(undefined, undefined)).rejects.toThrow('doesn’t match this database')
  expect(existsSync(join(dataDir, 'keys', 'master.key.next'))).toBe(false)
  await expect(
    rotateMasterKey(db, { dataDir: '/nowhere', encryptionKey: undefined, nextEncryptionKey: undefined }),
  ).rejects.toThrow('There is no key')
})

test('changes nothing while another process is connected', async () => {
  const { started, db, dataDir, master, applicationId } = await aStoppedInstallation()
  const other = openDatabase(started.services.config.databaseUrl!, () => {})
  onTestFinished(() => other.destroy())
  await sql`select 1`.execute(other)
  mkdirSync(dataDir, { recursive: true })
  const settings = { dataDir, encryptionKey: undefined, nextEncryptionKey: undefined }
  await expect(rotateMasterKey(db, settings)).rejects.toThrow('Another process')
  expect(readOrMakeMasterKey(dataDir).equals(master)).toBe(true)
  expect(await canRead(db, started, makeKeys(master), applicationId)).toBe(true)
})

test('posts are signed with the same key after a change', async () => {
  const started = await startApi()
  const { dataDir, databaseUrl } = started.services.config
  const master = readOrMakeMasterKey(dataDir)
  await started.services.db.deleteFrom('fingerprint_key').execute()
  const { id } = await transaction(started.services.db, (db) => getSigningKey(db, makeKeys(master)))
  await started.services.db.destroy()
  const db = openDatabase(databaseUrl!, () => {})
  onTestFinished(() => db.destroy())
  const settings = { dataDir, encryptionKey: undefined, nextEncryptionKey: undefined }
  expect(await rotateMasterKey(db, settings)).toBe(1)
  const after = makeKeys(readOrMakeMasterKey(dataDir))
  expect((await transaction(db, (db) => getSigningKey(db, after))).id).toBe(id)
  await expect(transaction(db, (db) => getSigningKey(db, makeKeys(master)))).rejects.toThrow()
  await expect(changeSigningKey(db, makeKeys(master))).rejects.toThrow('The master key can’t decrypt')
  const { retired, made } = await changeSigningKey(db, after)
  expect(retired).toBe(id)
  expect((await transaction(db, (db) => getSigningKey(db, after))).id).toBe(made)
})

test('a change re-encrypts every sealed column of the database', async () => {
  const { services } = await startApi()
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed%' order by 1`.execute(services.db)
  expect(rows.map(({ place }) => place)).toEqual(
    sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
  )
})
