import { randomBytes, randomUUID } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { announceFile } from '../../platform/pending-files/pending-file.queries.ts'
import { openBytes, sealBytes, type Keys } from '../../platform/keys.ts'
import type { StoredPhoto } from './kyc-photo.queries.ts'

/** Each application has a key of its own, wrapped by the master key: destroying it destroys the pictures everywhere. */
export function newDataKey(keys: Keys, applicationId: string): { dataKey: Buffer; sealedDataKey: Buffer } {
  const dataKey = randomBytes(32)
  return { dataKey, sealedDataKey: keys.seal('documents', applicationId, dataKey.toString('base64')) }
}

export const openDataKey = (keys: Keys, applicationId: string, sealed: Buffer): Buffer =>
  Buffer.from(keys.open('documents', applicationId, sealed), 'base64')

type Store = { db: Tx; files: FileStore; keys: Keys }

export const storePhoto = async (
  store: Store,
  dataKey: Buffer,
  applicationId: string,
  picture: Buffer,
): Promise<StoredPhoto> => ({
  ...(await storeSealed(store, dataKey, applicationId, { folder: 'kyc', bytes: picture })),
  contentType: 'image/jpeg',
})

/** Unencrypted bytes never reach the store. The code that stores a reference to the file settles it. */
export async function storeSealed(
  { db, files, keys }: Store,
  dataKey: Buffer,
  ownerId: string,
  { folder, bytes }: { folder: 'kyc' | 'messages'; bytes: Buffer },
): Promise<Omit<StoredPhoto, 'contentType'>> {
  const fileKey = `${folder}/${randomUUID()}`
  await announceFile(db, fileKey)
  await files.put(fileKey, sealBytes(dataKey, `${ownerId} ${fileKey}`, bytes))
  return { fileKey, bytes: bytes.length, contentHash: keys.fingerprint(bytes) }
}

export async function readPhoto(
  files: FileStore,
  dataKey: Buffer,
  applicationId: string,
  fileKey: string,
): Promise<Buffer | undefined> {
  const sealed = await files.get(fileKey)
  return sealed && openBytes(dataKey, `${applicationId} ${fileKey}`, sealed)
}
