import { createHash } from 'node:crypto'
import { pictureBytesMax, pictureWidths, type Picture } from '#contract/publishing/announcements.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { refusedField } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { uploadOf, type Uploads } from '../../platform/uploads/receive-uploads.ts'
import { announcePicture, holdPicture, keyOf } from './picture.queries.ts'

const pixelsMax = 50_000_000
const quality = 80

/**
 * Signatures of the accepted formats. The decoder knows many others, some of them scriptable. A dot stands for any
 * byte.
 */
const beginnings = [
  /^\xff\xd8\xff/, // JPEG
  // oxlint-disable-next-line no-control-regex -- a control character is part of the signature
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF.{4}WEBP/s,
  /^GIF8[79]a/,
]

const isAcceptedFormat = (bytes: Buffer): boolean =>
  beginnings.some((beginning) => beginning.test(bytes.subarray(0, 16).toString('latin1')))

type Store = Pick<Services, 'db' | 'files'> & { uploads?: Uploads | undefined }

/**
 * Stores the picture of a data URL in all widths, re-encoded, upright, and without camera metadata. The same picture is
 * stored once, however often it is sent.
 */
export async function storePicture(store: Store, dataUrl: string, path: string): Promise<Picture> {
  const { db, files } = store
  const { name, sizes } = await encodePicture(store, dataUrl, path, pictureWidths)
  await announcePicture(
    db,
    name,
    sizes.map(({ width }) => width),
  )
  for (const { data, width } of sizes) await files.put(keyOf(name, width), data)
  return pictureAt(
    name,
    sizes.map(({ width }) => width),
    sizes.at(-1)!.height,
  )
}

/** Returns a stored picture. `height` is that of its largest width. */
export function pictureAt(name: string, widths: readonly number[], height: number): Picture {
  const ascending = widths.toSorted((a, b) => a - b)
  const width = ascending.at(-1)!
  return {
    src: addressOf(name, width),
    srcset: ascending.map((each) => `${addressOf(name, each)} ${each}w`).join(', '),
    width,
    height,
  }
}

/**
 * Encodes the picture in all these widths, with a name derived from its bytes. Rejects its field if it is not a
 * picture.
 */
export async function encodePicture(
  { uploads }: Pick<Store, 'uploads'>,
  dataUrl: string,
  path: string,
  widths: readonly number[],
): Promise<{ name: string; sizes: Size[] }> {
  const { isTooLarge, head, read } = uploads?.find(dataUrl) ?? uploadOf(dataUrl, pictureBytesMax)
  if (isTooLarge) throw refusedField(path, 'too_long', { max: pictureBytesMax })
  if (!isAcceptedFormat(head)) throw refusedField(path, 'picture')
  const pieces: Buffer[] = []
  for await (const piece of read()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const sizes = await encode(bytes, widths).catch(() => {
    throw refusedField(path, 'picture')
  })
  return { name: createHash('sha256').update(bytes).digest('hex').slice(0, 32), sizes }
}

type Size = { data: Buffer; width: number; height: number }

/** Encodes from the smallest to the largest width, none wider than the picture itself. */
async function encode(bytes: Buffer, widths: readonly number[]): Promise<Size[]> {
  const { default: sharp } = await import('sharp')
  const upright = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
    .rotate()
    .resize({ width: widths.at(-1)!, withoutEnlargement: true })
    .webp({ quality, effort: 4 })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = upright.info
  const sizes: Size[] = []
  for (const narrower of widths.filter((each) => each < width)) {
    const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .rotate()
      .resize({ width: narrower })
      .webp({ quality, effort: 4 })
      .toBuffer({ resolveWithObject: true })
    sizes.push({ data, width: info.width, height: info.height })
  }
  return [...sizes, { data: upright.data, width, height }]
}

const addressOf = (name: string, width: number): string => `/assets/media/news/${name}-${width}.webp`

const nameInAddress = /^([0-9a-f]{32})-(?:(\d{1,4})\.webp|(mail)\.jpg)$/

/**
 * Returns the bytes of a stored picture, by the last part of the address that `storePicture` or `makeMailedPicture`
 * returned.
 */
export async function readPicture(files: FileStore, file: string): Promise<Buffer | undefined> {
  const [, name, width, crop] = nameInAddress.exec(file) ?? []
  const size = width ?? crop
  return name && size ? files.get(keyOf(name, size)) : undefined
}

/** The stored data of the picture on a post's card. */
export type ChosenCard = { name: string; height: number; alt: string }

/** Returns the picture that an editor chose for the card, by its address. Rejects unknown addresses. */
export async function chooseCard(
  { db, files }: Store,
  { src, alt }: { src: string; alt: string },
): Promise<ChosenCard> {
  const name = nameInAddress.exec(src.replace(/^\/assets\/media\/news\//, ''))?.[1]
  const widths = name === undefined ? undefined : await holdPicture(db, name)
  const bytes = widths && (await files.get(keyOf(name!, Math.max(...widths))))
  if (!bytes) throw refusedField('card', 'picture')
  const { default: sharp } = await import('sharp')
  const { height } = await sharp(bytes).metadata()
  return { name: name!, height, alt }
}

/** Stops at the next bracket, so that an unclosed tag is scanned only once. */
const inline = /(<img\b[^<>]*?\ssrc=)(["'])(data:image\/[a-z+.-]+;base64,[a-z\d+/=\s]+)\2/gi
const inlinePicturesMax = 10

/** Stores the pictures embedded in a text as files and replaces them by their addresses. */
export async function storeInlinePictures(store: Store, html: string): Promise<string> {
  let stored = html
  for (const [whole, before = '', , dataUrl = ''] of [...html.matchAll(inline)].slice(0, inlinePicturesMax)) {
    const { src, srcset, width, height } = await storePicture(store, dataUrl, 'content')
    stored = stored.replace(
      whole,
      () => `${before}"${src}" srcset="${srcset}" width="${width}" height="${height}"`,
    )
  }
  return stored
}
