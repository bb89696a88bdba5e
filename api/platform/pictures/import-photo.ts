import { photoBytesMax, photoPixelsMin } from '#contract/people/kyc.ts'
import { refusedField } from '../refused.ts'
import { uploadOf, type Uploads } from '../uploads/receive-uploads.ts'
import { cleanPictureApart, type CleanPicture } from './decode-apart.ts'
import { isHeic } from './decode-heic.ts'

/** Magic numbers of the accepted formats; a dot stands for any byte. */
const signatures = [
  /^\xff\xd8\xff/, // JPEG
  // oxlint-disable-next-line no-control-regex -- a control character is part of the signature
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF.{4}WEBP/s,
]

/** Only these formats and decoded HEIC pixels reach the decoder, which knows many more, some of them scriptable. */
export const isAcceptedFormat = (bytes: Buffer): boolean =>
  isHeic(bytes) || signatures.some((signature) => signature.test(bytes.subarray(0, 16).toString('latin1')))

/** The owner of a picture, and the files of the request that contains it. */
export type PhotoSource = { memberId: string; uploads?: Uploads | undefined }

/**
 * Decodes the picture of a data URL and re-encodes it as JPEG, upright and without metadata. Rejects other formats,
 * broken files, too many bytes, more than 50 million pixels (before decoding), and pictures too small to read a
 * document.
 */
export async function importPhoto(photo: string, path: string, source: PhotoSource): Promise<Buffer> {
  const { bytes, width, height } = await decodePhoto(photo, path, source)
  const { long, short } = photoPixelsMin
  if (Math.max(width, height) < long || Math.min(width, height) < short)
    throw refusedField(path, 'picture_too_small', { max: long, min: short })
  return bytes
}

/** Does the same as `importPhoto` for any size. */
export async function decodePhoto(
  photo: string,
  path: string,
  { memberId, uploads }: PhotoSource,
): Promise<CleanPicture> {
  const upload = uploads?.find(photo) ?? uploadOf(photo, photoBytesMax)
  if (upload.isTooLarge) throw refusedField(path, 'too_long', { max: photoBytesMax })
  if (!isAcceptedFormat(upload.head)) throw refusedField(path, 'picture')
  const lane = isHeic(upload.head) ? 'heic' : 'other'
  const picture = await cleanPictureApart(memberId, lane, () => upload.read())
  if (!picture) throw refusedField(path, 'picture')
  return picture
}
