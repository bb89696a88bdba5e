import * as z from 'zod/mini'
import { legalDocuments } from '../people/consents.ts'
import {
  contentItemDetail,
  contentVersionsMax,
  contentItemName,
  contentItemVersion,
} from './console-content.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, page, time } from '../platform/fields.ts'
import { settingChange, whoChanged } from '../people/settings.ts'

/** Origin of a version: an editor, a command, or the original file before the first version. */
export const contentOrigins = ['file', 'console', 'command'] as const

const contentVersion = z.object({
  id,
  piece: z.string(),
  at: time,
  /** Null if a command imported the files, or for the original file before anything was published. */
  by: z.nullable(whoChanged),
  confirmedBy: z.nullable(whoChanged),
  origin: z.enum(contentOrigins),
  /** The version that was restored. */
  restoredId: z.nullable(id),
  newVersions: z.array(z.string()),
  /** For `messages/legal`: the versions that readers of this text were asked to accept. */
  legal: z.nullable(z.record(z.enum(legalDocuments), z.string())),
  /** In a list, only the first changes, with long texts cut. For a single version, all of them. */
  changes: z.array(settingChange),
  changeCount: z.number(),
})
export type ContentVersion = z.infer<typeof contentVersion>

export const listContentVersions = endpoint('GET', 'admin/content/versions', {
  about: `List the published versions of a content item with their changes, newest first. The newest ${contentVersionsMax} are kept; legal texts keep every version.`,
  access: staff('news', 1),
  query: z.extend(page, { piece: z.optional(contentItemName) }),
  output: z.array(contentVersion),
})

export const getContentVersion = endpoint('GET', 'admin/content/versions/:id', {
  about: 'Get one version in full, and its differences from the published content.',
  access: staff('news', 1),
  params: z.strictObject({ id }),
  output: z.object({ ...contentVersion.shape, value: z.unknown(), sinceThen: z.array(settingChange) }),
  errors: ['not_found'],
})

export const restoreContentVersion = endpoint('POST', 'admin/content/versions/:id/restore', {
  about: 'Restore an earlier version as a draft, replacing the current draft.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ version: contentItemVersion }),
  output: contentItemDetail,
  errors: ['not_found', 'conflict', 'content_waits'],
})
