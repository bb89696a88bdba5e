import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { decodeHeic, isHeic } from './decode-heic.ts'

const pixelsMax = 50_000_000
const edgeMax = 3000

/** Every picture is decoded only once, so a cache would waste memory. */
sharp.cache(false)
sharp.concurrency(1)

/**
 * Re-encodes the picture as JPEG: upright, at most 3000 pixels a side, without metadata. Fails for broken files,
 * and for more than 50 million pixels before they are decoded.
 */
export async function cleanPicture(bytes: Buffer): Promise<{ data: Buffer; info: OutputInfo }> {
  const picture = await open(bytes)
  return picture
    .rotate()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer({ resolveWithObject: true })
}

async function open(bytes: Buffer): Promise<Sharp> {
  const options = { limitInputPixels: pixelsMax, failOn: 'error' } as const
  if (!isHeic(bytes)) return sharp(bytes, options)
  const { data, width, height } = await decodeHeic(bytes, pixelsMax)
  return sharp(data, { ...options, raw: { width, height, channels: 4 } })
}
