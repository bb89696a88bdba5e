import { randomBytes } from 'node:crypto'
import { ambassadorPictureWidths } from '#contract/people/ambassador-profiles.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { announceFile } from '../../../platform/pending-files/pending-file.queries.ts'
import { decodePhoto, type PhotoSource } from '../../../platform/pictures/import-photo.ts'
import type { Services } from '../../../platform/services.ts'

const quality = 82
const [narrow, wide] = ambassadorPictureWidths

const keyOf = (name: string, width: number): string => `ambassadors/${name}-${width}`
export const keysOfPicture = (name: string): string[] =>
  ambassadorPictureWidths.map((width) => keyOf(name, width))

/**
 * Stores the picture of a data URL: decoded in a separate thread, re-encoded without metadata, upright, square, and
 * scaled down if it is larger. Rejects its field if it is not a picture. The caller settles the files in its
 * transaction.
 */
export async function storeAmbassadorPicture(
  { db, files }: Pick<Services, 'db' | 'files'>,
  dataUrl: string,
  source: PhotoSource,
): Promise<string> {
  const { default: sharp } = await import('sharp')
  const { bytes, width, height } = await decodePhoto(dataUrl, 'picture', source)
  const name = randomBytes(16).toString('hex')
  const edge = Math.min(width, height)
  for (const size of ambassadorPictureWidths) {
    const key = keyOf(name, size)
    await announceFile(db, key)
    const side = Math.min(size, edge)
    // In a portrait, the face is in the upper part.
    const data = await sharp(bytes)
      .resize({ width: side, height: side, fit: 'cover', position: 'top' })
      .webp({ quality, effort: 4 })
      .toBuffer()
    await files.put(key, data)
  }
  return name
}

export const addressOfPicture = (name: string): string => `/assets/media/ambassadors/${name}-${wide}.webp`

const nameInAddress = new RegExp(`^([0-9a-f]{32})-(${narrow}|${wide})\\.webp$`)
export const nameOfFile = (file: string): string | undefined => nameInAddress.exec(file)?.[1]

export const readFile = (files: FileStore, file: string): Promise<Buffer | undefined> | undefined => {
  const [, name, width] = nameInAddress.exec(file) ?? []
  return name ? files.get(keyOf(name, Number(width))) : undefined
}

/** Returns the picture as a data URL, for people who may see it before it is public. */
export async function showPicture(files: FileStore, name: string | null): Promise<string | null> {
  const bytes = name === null ? undefined : await files.get(keyOf(name, wide))
  return bytes ? `data:image/webp;base64,${bytes.toString('base64')}` : null
}
