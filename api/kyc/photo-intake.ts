import sharp from 'sharp'
import { photoBytesMax } from '#contract/kyc.ts'
import { refusedField } from '../refused.ts'

const pixelsMax = 50_000_000
const edgeMax = 3000
const formats = new Set(['jpeg', 'png', 'webp'])

/**
 * A picture out of a data URL, judged by decoding it: re-encoded as JPEG, upright, without metadata. Refused are other
 * formats, broken files, too many bytes, and pictures of more than 50 million pixels before they are decoded.
 */
export async function takeInPhoto(dataUrl: string, path: string): Promise<Buffer> {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  if (bytes.length > photoBytesMax) throw refusedField(path, 'too_long', { max: photoBytesMax })
  try {
    const picture = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!formats.has(format)) throw new Error('not a picture that is taken')
    return await picture
      .rotate()
      .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer()
  } catch {
    throw refusedField(path, 'picture')
  }
}
