import type { Announcement } from '#contract/publishing/announcements.ts'

/** The presentation of a short post without pictures and without an author. */
export const presentedPlainly: Pick<Announcement, 'readingMinutes' | 'picture' | 'byline'> = {
  readingMinutes: 1,
  picture: {
    src: '/assets/media/news-drawings/0123456789abcdef-012345.svg',
    srcset: '',
    width: 960,
    height: 540,
    alt: '',
    origin: 'drawn',
  },
  byline: null,
}
