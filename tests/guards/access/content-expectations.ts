import type { EndpointName } from '#contract/api.ts'
import type { Expectation } from './permissions.ts'

const news1 = ['news1', 'news2', 'admin'] as const
const news2 = ['news2', 'admin'] as const

/** Requests of editors on content, written by hand like the rest of the table. */
export const contentExpectations = {
  listContentItems: { call: 'GET admin/content/pieces', success: 200, may: news1 },
  getContentItem: { call: 'GET admin/content/piece', success: 200, may: news1 },
  saveContentDraft: { call: 'POST admin/content/draft', success: 200, may: news2 },
  discardContentDraft: { call: 'POST admin/content/draft/discard', success: 200, may: news2 },
  checkContentDrafts: { call: 'POST admin/content/check', success: 200, may: news1 },
  publishContent: { call: 'POST admin/content/publish', success: 200, may: news2 },
  scheduleContent: { call: 'POST admin/content/schedule', success: 200, may: news2 },
  listContentReleases: { call: 'GET admin/content/releases', success: 200, may: news1 },
  confirmContentRelease: { call: 'POST admin/content/releases/:id/confirm', success: 200, may: news2 },
  cancelContentRelease: { call: 'POST admin/content/releases/:id/cancel', success: 200, may: news2 },
  listContentVersions: { call: 'GET admin/content/versions', success: 200, may: news1 },
  getContentVersion: { call: 'GET admin/content/versions/:id', success: 200, may: news1 },
  restoreContentVersion: { call: 'POST admin/content/versions/:id/restore', success: 200, may: news2 },
  createContentPreview: { call: 'POST admin/content/preview', success: 200, may: news1 },
  uploadContentDocument: { call: 'POST admin/content/documents', success: 201, may: news2 },
  withdrawContentDocument: { call: 'POST admin/content/documents/withdraw', success: 200, may: news2 },
  uploadContentPicture: { call: 'POST admin/content/pictures', success: 201, may: news2 },
  openContentDocument: { call: 'GET admin/content/documents/:sha256', success: 200, may: news1 },
  getContentShape: { call: 'GET admin/content/shape', success: 200, may: news1 },
  findContent: { call: 'GET admin/content/find', success: 200, may: news1 },
} satisfies { [Name in EndpointName]?: Expectation }
