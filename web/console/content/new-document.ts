import type { ContentItemDetail } from '#contract/publishing/console-content.ts'

/** A document without an uploaded PDF. */
export const newDocument = (piece: string): ContentItemDetail => ({
  piece,
  kind: 'document',
  version: 0,
  isPublished: false,
  hasDraft: false,
  changedAt: null,
  changedBy: null,
  waiting: null,
  missing: 0,
  problems: 0,
  outdated: [],
  isLeftOut: false,
  file: null,
  published: null,
  value: null,
  draft: [],
  found: [],
  sensitive: [],
  changesOfficial: false,
  twoPersons: [],
  legal: null,
  changes: [],
})
