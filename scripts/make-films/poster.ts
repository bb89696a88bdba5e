import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import sharp from 'sharp'

export type Poster = { file: string; width: number; bytes: number }

/** Writes a raw RGBA picture as AVIF and JPEG for a film's poster, scaled down if a width is given. */
export async function writePosters(
  picture: Buffer,
  size: { width: number; height: number },
  base: string,
  width: number = size.width,
): Promise<Poster[]> {
  const source = sharp(picture, { raw: { width: size.width, height: size.height, channels: 4 } })
    .removeAlpha()
    .resize({ width, kernel: 'lanczos3' })
  await source.clone().avif({ quality: 36, effort: 5, chromaSubsampling: '4:4:4' }).toFile(`${base}.avif`)
  await source.clone().jpeg({ quality: 62, mozjpeg: true }).toFile(`${base}.jpg`)
  return Promise.all(
    ['avif', 'jpg'].map(async (kind) => {
      const file = `${base}.${kind}`
      return { file: basename(file), width, bytes: (await stat(file)).size }
    }),
  )
}
