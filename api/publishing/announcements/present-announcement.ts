import { createHash } from 'node:crypto'
import type { Announcement, AnnouncementCard, Byline } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/languages.ts'
import { makeSlug } from './make-slug.ts'
import { cardPictureOf, type CardColumns } from '../pictures/card-picture.ts'
import type { AnnouncementRow } from './reading.queries.ts'

export const presentAnnouncement = (row: AnnouncementRow): Announcement => ({
  _id: row.id,
  slug: row.slug,
  title: row.title,
  category: row.category,
  language: row.language,
  content: row.content,
  contentSummary: row.content_summary,
  postedDate: row.posted_at.toISOString(),
  lastEdited: row.edited_at?.toISOString() ?? null,
  createdBy: { _id: row.created_by ?? '', displayName: row.author_name ?? '' },
  readingMinutes: row.reading_minutes,
  picture: cardPictureOf(row),
  byline: bylineOf(row.byline, row.byline_name),
})

type CardRow = CardColumns & {
  title: string
  category: string
  language: Language
  posted_at: Date
  reading_minutes: number
}

export const presentCard = (row: CardRow): AnnouncementCard => ({
  slug: row.slug,
  title: row.title,
  category: row.category,
  language: row.language,
  postedDate: row.posted_at.toISOString(),
  readingMinutes: row.reading_minutes,
  picture: cardPictureOf(row),
})

/**
 * Presents an author. The address is derived from the display name, so that a former name is not shown anywhere; its end
 * distinguishes authors with the same name. Returns null without a display name.
 */
export const bylineOf = (id: string | null, name: string | null): Byline | null =>
  id === null || !name ? null : { slug: `${makeSlug(name)}-${hashOf(id).slice(0, 6)}`, name }

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The picture in link previews. Its address changes with its content, because other sites cache it. */
export function sharePictureOf(row: AnnouncementRow): { src: string; width: number; height: number } {
  const shown = hashOf(JSON.stringify([row.title, row.language, cardPictureOf(row).src])).slice(0, 10)
  const file = `${row.language}-${encodeURIComponent(row.slug)}-${shown}.jpg`
  return { src: `/assets/media/news-share/${file}`, width: 1200, height: 630 }
}
