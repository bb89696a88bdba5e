import { photoBytesMax, photosMax } from '#contract/kyc.ts'
import { Refused, refusedField } from '../../refused.ts'
import { cleanPictureApart } from './decode-apart.ts'
import { isHeic } from './decode-heic.ts'

/** Magic numbers of the accepted formats; a dot stands for any byte. */
const signatures = [
  /^\xff\xd8\xff/, // JPEG
  // oxlint-disable-next-line no-control-regex -- a control character is part of the signature
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF.{4}WEBP/s,
]

/** The decoder knows many formats, some of them scriptable: only these reach it, and decoded HEIC pixels. */
export const isAcceptedFormat = (bytes: Buffer): boolean =>
  isHeic(bytes) || signatures.some((signature) => signature.test(bytes.subarray(0, 16).toString('latin1')))

/**
 * Decodes the picture of a data URL and re-encodes it as JPEG, upright and without metadata. Refuses other formats, broken
 * files, too many bytes and, before decoding, more than 50 million pixels.
 */
export async function importPhoto(dataUrl: string, path: string): Promise<Buffer> {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  if (bytes.length > photoBytesMax) throw refusedField(path, 'too_long', { max: photoBytesMax })
  if (!isAcceptedFormat(bytes)) throw refusedField(path, 'picture')
  const picture = await cleanPictureApart(bytes)
  if (!picture) throw refusedField(path, 'picture')
  return picture
}

const underWay = new Map<string, number>()

/** As `importPhoto`, at most one application's worth at once per member, so that slow pictures of one hold up few others. */
export async function importMemberPhoto(memberId: string, dataUrl: string, path: string): Promise<Buffer> {
  const before = underWay.get(memberId) ?? 0
  if (before >= photosMax) throw new Refused('unavailable')
  underWay.set(memberId, before + 1)
  try {
    return await importPhoto(dataUrl, path)
  } finally {
    const left = underWay.get(memberId)! - 1
    if (left > 0) underWay.set(memberId, left)
    else underWay.delete(memberId)
  }
}
