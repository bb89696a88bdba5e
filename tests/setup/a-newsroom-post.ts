import type { NewsroomPost } from '#contract/publishing/newsroom.ts'

/** A post as the newsroom lists it: in English, published, without a translation. */
export const aNewsroomPost = (fields: Partial<NewsroomPost> = {}): NewsroomPost => ({
  _id: 'p',
  slug: 'a-title',
  title: 'A title',
  category: 'Events',
  language: 'en',
  postedDate: '2026-11-20T10:00:00.000Z',
  lastEdited: null,
  createdBy: { _id: 'm', displayName: 'Sample' },
  state: 'published',
  publishAt: null,
  zone: null,
  deletedAt: null,
  goneAt: null,
  editedBy: { id: 'n', name: 'Second' },
  changedAt: '2026-11-20T11:00:00.000Z',
  sibling: null,
  version: 1,
  reads: { recent: 0, total: 0 },
  ...fields,
})
