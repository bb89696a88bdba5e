import type { ContentPieceWhole } from '#contract/console-content.ts'

/** A document that nobody has uploaded a PDF of yet. */
export const newDocument = (piece: string): ContentPieceWhole => ({
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
