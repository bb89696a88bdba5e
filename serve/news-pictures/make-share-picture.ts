import brand from '#content/brand.json' with { type: 'json' }
import colours from '#content/colours.json' with { type: 'json' }
import { markPath } from '#web/kernel/brand/mark-path.ts'
import { drawPost } from './draw-post.ts'

/** The size that social media show without cropping. */
const size = { width: 1200, height: 630 }
const margin = 72
const titleRoom = { width: 660, height: 330 }
/** Font sizes of titles in pixels. The first in which the title fits is used. */
const titleSizes = [68, 56, 46, 38]

export type DrawText = (
  text: string,
  look: { size: number; width?: number; color: string; isDisplay?: boolean },
) => Promise<Buffer>

/** Fills the whole share picture with an uploaded picture. */
export async function shareOfPicture(picture: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(picture)
    .resize({ ...size, fit: 'cover', position: 'attention' })
    .flatten({ background: colours.ground.dark })
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

/** Puts a post’s title beside its drawing. */
export async function shareOfDrawing(seed: string, title: string, drawText: DrawText): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const place = { x: 0.83, y: 0.5, scale: 1.15 }
  const drawing = drawPost(seed, size, place).replace('</svg>', `${shade}${mark}</svg>`)
  const name = await drawText(brand.name, { size: 34, color: colours.text.dark, isDisplay: true })
  const words = await drawTitle(title, drawText)
  const { height } = await sharp(words).metadata()
  const top = size.height - margin - 24 - height
  return sharp(Buffer.from(drawing))
    .resize(size)
    .composite([
      { input: name, left: margin + 62, top: margin - 10 },
      { input: words, left: margin, top },
    ])
    .jpeg({ quality: 86, mozjpeg: true })
    .toBuffer()
}

/** Fades the drawing into a plain background, so that the text is legible. */
const shade = [
  '<defs><linearGradient id="s"><stop offset="0.54" stop-color="',
  colours.ground.dark,
  '"/><stop offset="0.8" stop-color="',
  colours.ground.dark,
  `" stop-opacity="0"/></linearGradient></defs><path fill="url(#s)" d="M0 0h${size.width}v${size.height}H0z"/>`,
  `<path stroke="${colours.copper.dark}" stroke-width="2" d="M${margin} ${size.height - margin}h64"/>`,
].join('')

const mark = `<path transform="translate(${margin + 22} ${margin + 12}) scale(0.22)" fill="${colours.copper.dark}" fill-rule="evenodd" d="${markPath}"/>`

async function drawTitle(title: string, drawText: DrawText): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const look = { width: titleRoom.width, color: colours.text.dark, isDisplay: true }
  const fits = async (picture: Buffer) => {
    const { width, height } = await sharp(picture).metadata()
    return width <= titleRoom.width && height <= titleRoom.height
  }
  // The fonts contain no emoji.
  const words = title.replaceAll(/\p{Extended_Pictographic}|\u200d|\ufe0f/gu, '').trim() || brand.name
  for (const each of titleSizes) {
    const drawn = await drawText(words, { ...look, size: each })
    if (await fits(drawn)) return drawn
  }
  const letters = [...words]
  for (let count = 120; ; count -= 20) {
    const drawn = await drawText(`${letters.slice(0, count).join('').trim()}…`, {
      ...look,
      size: titleSizes.at(-1)!,
    })
    if (count <= 20 || (await fits(drawn))) return drawn
  }
}
