import * as z from 'zod/mini'
import { legalDocuments } from './consents.ts'
import { contentPieceWhole, contentVersionsMax, pieceName, pieceVersion } from './console-content.ts'
import { endpoint, staff } from './endpoint.ts'
import { id, page, time } from './fields.ts'
import { settingChange, whoChanged } from './settings.ts'

/** Where a version came from: from an editor, from a command, or it stood in the file before all of them. */
export const contentOrigins = ['file', 'console', 'command'] as const

const contentVersion = z.object({
  id,
  piece: z.string(),
  at: time,
  /** Null: a command took it in from files, or it stood in a file before anything was published. */
  by: z.nullable(whoChanged),
  confirmedBy: z.nullable(whoChanged),
  origin: z.enum(contentOrigins),
  /** The version that was gone back to. */
  restoredId: z.nullable(id),
  newVersions: z.array(z.string()),
  /** Of `messages/legal`: the versions that members who read this text were asked to accept. */
  legal: z.nullable(z.record(z.enum(legalDocuments), z.string())),
  /** In a list the first of them, with long texts cut; of one version all. */
  changes: z.array(settingChange),
  changeCount: z.number(),
})
export type ContentVersion = z.infer<typeof contentVersion>

export const listContentVersions = endpoint('GET', 'admin/content/versions', {
  about: `What was published of a piece, the newest first, with what it changed. The newest ${contentVersionsMax} are kept, and every one of the legal texts.`,
  access: staff('news', 1),
  query: z.extend(page, { piece: z.optional(pieceName) }),
  output: z.array(contentVersion),
})

export const getContentVersion = endpoint('GET', 'admin/content/versions/:id', {
  about: 'One version whole, and what differs between it and what is published.',
  access: staff('news', 1),
  params: z.strictObject({ id }),
  output: z.object({ ...contentVersion.shape, value: z.unknown(), sinceThen: z.array(settingChange) }),
  errors: ['not_found'],
})

export const restoreContentVersion = endpoint('POST', 'admin/content/versions/:id/restore', {
  about: 'Make a draft of an earlier version, in place of the draft that there is.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ version: pieceVersion }),
  output: contentPieceWhole,
  errors: ['not_found', 'conflict', 'content_waits'],
})
