import { stagedPrefix } from '#contract/kyc.ts'
import { isRefusedByIndex } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { discardFiles } from '../pending-files/pending-file.queries.ts'
import { Refused } from '../refused.ts'
import type { StoredPhoto } from './kyc-photo.queries.ts'
import { importPhoto } from '../pictures/import-photo.ts'
import { storePhoto } from './encrypted-documents.ts'
import { readStagedPhoto } from './upload-photo.ts'

/**
 * Stores pictures before the record, so that a record never refers to a missing one. If storing the record fails, they
 * are deleted again.
 */
export async function withStoredPictures<T>(
  photoUrls: readonly string[],
  application: { id: string; dataKey: Buffer },
  context: MemberContext,
  write: (photos: readonly StoredPhoto[]) => Promise<T>,
): Promise<T> {
  const photos: StoredPhoto[] = []
  try {
    for (const [n, photo] of photoUrls.entries()) {
      const picture = await takePicture(photo, `photoUrls.${n}`, context)
      photos.push(await storePhoto(context, application.dataKey, application.id, picture))
    }
    return await write(photos)
  } catch (error) {
    await discardFiles(
      context.db,
      context.files,
      photos.map(({ fileKey }) => fileKey),
    )
    // Another application is already in review.
    if (isRefusedByIndex(error, 'kyc_application_one_open')) throw new Refused('conflict')
    throw error
  }
}

const takePicture = (photo: string, path: string, context: MemberContext): Promise<Buffer> =>
  photo.startsWith(stagedPrefix)
    ? readStagedPhoto(photo.slice(stagedPrefix.length), path, context)
    : importPhoto(photo, path, { memberId: context.caller.memberId, uploads: context.uploads })
