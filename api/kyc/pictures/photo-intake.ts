import { photoBytesMax, photosMax } from '#contract/kyc.ts'
import { Refused, refusedField } from '../../refused.ts'
import { cleanPictureApart } from './decode-apart.ts'
import { isHeic } from './decode-heic.ts'

/** How files of the formats that are taken begin; a dot stands for any byte. */
const beginnings = [
  /^\xff\xd8\xff/, // JPEG
  // oxlint-disable-next-line no-control-regex -- a control character is part of the signature
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF.{4}WEBP/s,
]

/** The decoder knows many formats, some of which are programs: only these reach it, and the pixels of HEIC. */
export const isTakenFormat = (bytes: Buffer): boolean =>
  isHeic(bytes) || beginnings.some((beginning) => beginning.test(bytes.subarray(0, 16).toString('latin1')))

/**
 * A picture out of a data URL, judged by decoding it: re-encoded as JPEG, upright, without metadata. Refused are other
 * formats, broken files, too many bytes, and pictures of more than 50 million pixels before they are decoded.
 */
export async function takeInPhoto(dataUrl: string, path: string): Promise<Buffer> {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  if (bytes.length > photoBytesMax) throw refusedField(path, 'too_long', { max: photoBytesMax })
  if (!isTakenFormat(bytes)) throw refusedField(path, 'picture')
  const picture = await cleanPictureApart(bytes)
  if (!picture) throw refusedField(path, 'picture')
  return picture
}

const underWay = new Map<string, number>()

/** As `takeInPhoto`, of one member no more at once than one application has: who sends slow pictures holds up few others. */
export async function takeInPhotoOf(memberId: string, dataUrl: string, path: string): Promise<Buffer> {
  const before = underWay.get(memberId) ?? 0
  if (before >= photosMax) throw new Refused('unavailable')
  underWay.set(memberId, before + 1)
  try {
    return await takeInPhoto(dataUrl, path)
  } finally {
    const left = underWay.get(memberId)! - 1
    if (left > 0) underWay.set(memberId, left)
    else underWay.delete(memberId)
  }
}
