import { getAmbassador } from '#contract/people/ambassador-profiles.ts'
import { browseAnnouncements, browsePostsByAuthor, getPost } from '#contract/publishing/announcements.ts'
import { readWhitePaper, type WhitePaper } from '#contract/publishing/white-paper.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { presentedPlainly } from './presented-plainly.ts'
import { answeringContent } from './site-content.ts'

const anAmbassador = {
  slug: 'version-2',
  name: { en: 'Sample Person', cn: '示例大使' },
  since: '2026-11-02T09:00:00.000Z',
  endedAt: null,
  profile: {
    place: { en: 'Example City', cn: '示例市' },
    sentence: { en: 'A sample sentence.', cn: '一句示例。' },
    languages: ['en'],
    link: '',
    photo: null,
  },
}

const said = { name: 'Sample Foundation', role: 'Offeror', address: ['1 Sample Street'] }
export const aWhitePaper: WhitePaper = {
  isSample: true,
  issuer: {
    email: 'hello@coin.example',
    words: { en: said, cn: { ...said, name: '示例基金会', role: '要约人' } },
  },
  isUtility: true,
  versions: [
    {
      id: 'first',
      date: '2026-11-02',
      isSample: true,
      version: '1.0',
      words: { en: { change: 'The first one.' }, cn: { change: '首个版本。' } },
      files: [
        {
          language: 'en',
          title: 'White paper',
          address: '/assets/pdfs/white-paper-en.pdf',
          pages: 12,
          bytes: 200_000,
          sha256: 'ab'.repeat(32),
        },
      ],
    },
  ],
  withdrawalDays: 14,
  timeZone: 'UTC',
}

/**
 * The API of an installation with a single announcement, which exists in both languages, and one ambassador. Its lists
 * are empty.
 */
export const answeringOne = ((endpoint: Endpoint) => {
  if (endpoint === browseAnnouncements) return Promise.resolve({ posts: [], hasMore: false })
  if (endpoint === browsePostsByAuthor)
    return Promise.resolve({
      author: { slug: 'sample-author-012345', name: 'Sample Author' },
      languages: ['en', 'cn'],
      posts: [],
      hasMore: false,
    })
  if (endpoint === getAmbassador) return Promise.resolve(anAmbassador)
  if (endpoint.path === readWhitePaper.path) return Promise.resolve({ whitePaper: aWhitePaper })
  if (endpoint !== getPost) return Promise.resolve([])
  const post = {
    _id: 'p1',
    slug: 'version-2',
    title: 'Version 2',
    category: 'News',
    language: 'en',
    content: '<p>It is out.</p>',
    contentSummary: '<p>It is out.</p>',
    postedDate: '2026-11-02T09:00:00.000Z',
    lastEdited: null,
    createdBy: { _id: 'm1', displayName: 'Somebody' },
    ...presentedPlainly,
  }
  const sharePicture = {
    src: '/assets/media/news-share/en-version-2-0123456789.jpg',
    width: 1200,
    height: 630,
  }
  return Promise.resolve({ post, languages: ['en', 'cn'], related: [], sharePicture })
}) as unknown as Call
export const oneAnnouncement = answeringContent(answeringOne)
