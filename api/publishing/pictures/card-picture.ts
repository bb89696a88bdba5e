import type { CardPicture } from '#contract/publishing/announcements.ts'
import { drawnPictureOf } from './drawn-picture.ts'
import { pictureAt } from './store-picture.ts'

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const decode = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)

const stored = /^\/assets\/media\/news\/[0-9a-f]{32}-\d{1,4}\.webp$/

/** Returns the first uploaded picture in sanitized HTML. */
function firstPictureOf(html: string): CardPicture | undefined {
  if (!html.includes('/assets/media/news/')) return undefined
  for (const [tag] of html.matchAll(/<img\b[^<>]*>/g)) {
    const value = (attribute: string) => decode(new RegExp(`\\s${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '')
    const [src, width, height] = [value('src'), Number(value('width')), Number(value('height'))]
    if (stored.test(src) && width > 0 && height > 0)
      return { src, srcset: value('srcset'), width, height, alt: value('alt'), origin: 'text' }
  }
  return undefined
}

export type CardColumns = {
  slug: string
  content: string
  card_picture: string | null
  card_widths: number[] | null
  card_height: number | null
  card_alt: string | null
}

/** Returns the picture on a post's card: the chosen one, or else the first in the text, or else a drawing. */
export function cardPictureOf(row: CardColumns): CardPicture {
  if (row.card_picture !== null && row.card_widths !== null && row.card_height !== null)
    return {
      ...pictureAt(row.card_picture, row.card_widths, row.card_height),
      alt: row.card_alt ?? '',
      origin: 'chosen',
    }
  return firstPictureOf(row.content) ?? { ...drawnPictureOf(row.slug), alt: '', origin: 'drawn' }
}
