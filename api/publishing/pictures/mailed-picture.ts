import colours from '#content/colours.json' with { type: 'json' }
import type { FileStore } from '../../platform/files/file-store.ts'
import { picturesIn } from '../../platform/mail/rich-text.ts'
import { keyOf } from './picture.queries.ts'

/** In pixels of the file. Emails show it at half this size, for high-density screens. */
const size = { width: 1036, height: 583 }
const quality = 76

/** The address of an uploaded picture, in its original aspect ratio. */
const uploaded = /^\/assets\/media\/news\/([0-9a-f]{32})-(\d{1,4})\.webp$/

type MailedColumns = {
  content_summary: string
  card_picture: string | null
  card_widths: number[] | null
  card_alt: string | null
}

/** Returns the uploaded pictures of a post: the one that an editor chose for the card, then those of the text. */
function uploadedPicturesOf({ content_summary, card_picture, card_widths, card_alt }: MailedColumns) {
  const chosen =
    card_picture !== null && card_widths !== null
      ? [{ name: card_picture, width: String(Math.max(...card_widths)), alt: card_alt ?? '' }]
      : []
  const ofText = picturesIn(content_summary).flatMap(({ src, alt }) => {
    const [, name, width] = uploaded.exec(src) ?? []
    return name && width ? [{ name, width, alt }] : []
  })
  return [...chosen, ...ofText]
}

/**
 * Stores the chosen or else the first picture of a post in the fixed ratio of emails, and as JPEG, because not every email
 * client can crop pictures or read WebP. Only for a public post, because its pictures are not removed. Undefined without
 * one.
 */
export async function makeMailedPicture(
  files: FileStore,
  post: MailedColumns,
): Promise<{ path: string; alt: string } | undefined> {
  for (const { name, width, alt } of uploadedPicturesOf(post)) {
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
