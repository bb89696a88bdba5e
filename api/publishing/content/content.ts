import { DAY } from '#contract/platform/durations.ts'
import { collectHandlers, type Module } from '../../platform/module.ts'
import { removeUnusedFiles } from './editing/content-file.queries.ts'
import { startContentWorker } from './editing/content-worker.ts'
import * as draftHandlers from './editing/draft-handlers.ts'
import * as contentShape from './editing/content-shape.ts'
import * as findContent from './editing/find-content.ts'
import { settleTakenOver } from './editing/record-files.ts'
import * as preview from './editing/preview.ts'
import { deleteOldPreviews } from './editing/preview.queries.ts'
import * as releaseHandlers from './editing/release-handlers.ts'
import { expireProposals } from './editing/releases.ts'
import * as uploadHandlers from './editing/upload-handlers.ts'
import * as versionHandlers from './editing/version-handlers.ts'
import * as readContent from './read-content.ts'
import * as whitePaper from './white-paper.ts'

/** Far longer than putting an uploaded file into a draft takes, in milliseconds. */
const unusedFileAge = 2 * DAY

/** The content of the site: messages, facts, and the brand, and their edited versions. */
export const content = {
  calls: collectHandlers(
    draftHandlers,
    contentShape,
    findContent,
    preview,
    releaseHandlers,
    uploadHandlers,
    versionHandlers,
    readContent,
    whitePaper,
  ),
  personal: {
    columns: {
      // The IDs of authors; their names are deleted with the members' rows.
      content_piece: { published_by: 'remains' },
      content_draft: { saved_by: 'remains' },
      content_version: { by_member_id: 'remains', confirmed_by_member_id: 'remains' },
      content_release: {
        proposed_by: 'remains',
        confirmed_by: 'remains',
        ended_by: 'remains',
        reason: 'remains',
      },
      content_legal_version: { by_member_id: 'remains' },
      content_preview: { member_id: 'expires', token_hash: 'expires' },
    },
  },
  cleanUp: {
    contentTakenOver: ({ db }) => settleTakenOver(db),
    contentProposals: expireProposals,
    contentPreviews: ({ db }) => deleteOldPreviews(db),
    contentFiles: ({ db, files }) => removeUnusedFiles(db, files, unusedFileAge),
  },
  workers: [startContentWorker],
} satisfies Module
