import colours from '#content/colours.json' with { type: 'json' }
import type { FileStore } from '../../platform/files/file-store.ts'
import { picturesIn } from '../../platform/mail/rich-text.ts'
import { keyOf } from './picture.queries.ts'

/** In pixels of the file. Emails show it at half this size, for high-density screens. */
const size = { width: 1036, height: 583 }
const quality = 76

/** The address of an uploaded picture, in its original aspect ratio. */
const uploaded = /^\/assets\/media\/news\/([0-9a-f]{32})-(\d{1,4})\.webp$/

/**
 * Stores the first uploaded picture of a text as a JPEG in the fixed aspect ratio of emails, because not every email
 * client can crop pictures or show WebP. Use it only for a public post, whose pictures are not removed. Returns
 * undefined without a picture.
 */
export async function makeMailedPicture(
  files: FileStore,
  html: string,
): Promise<{ path: string; alt: string } | undefined> {
  for (const { src, alt } of picturesIn(html)) {
    const [, name, width] = uploaded.exec(src) ?? []
    if (!name || !width) continue
    const key = keyOf(name, 'mail')
    if (!(await isStored(files, key))) {
      const original = await files.get(keyOf(name, width))
      if (!original) continue
      await files.put(key, await crop(original))
    }
    return { path: `/assets/media/news/${name}-mail.jpg`, alt }
  }
  return undefined
}

async function isStored(files: FileStore, key: string): Promise<boolean> {
  const stream = await files.open(key)
  stream?.destroy()
  return stream !== undefined
}

async function crop(original: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(original)
    .resize({ ...size, fit: 'cover' })
    .flatten({ background: colours.groundRaised.light })
    .jpeg({ quality, mozjpeg: true })
    .toBuffer()
}
