import { getPost, browseAnnouncements } from '#contract/announcements.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Call } from '#web/call/call.ts'
import { answeringContent } from './site-content.ts'

/** The API of an installation with a single announcement, which exists in both languages; its list is empty. */
export const oneAnnouncement = answeringContent(((endpoint: Endpoint) => {
  if (endpoint === browseAnnouncements) return Promise.resolve({ posts: [], hasMore: false })
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
  }
  return Promise.resolve({ post, languages: ['en', 'cn'] })
}) as unknown as Call)
