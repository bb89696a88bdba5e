import { DAY } from '#contract/durations.ts'
import type { Noun } from '../noun.ts'
import { removeUnusedFiles } from './editing/content-file.queries.ts'
import { startContentWorker } from './editing/content-worker.ts'
import {
  checkContentDrafts,
  discardContentDraft,
  getContentPiece,
  listContentPieces,
  restoreContentVersion,
  saveContentDraft,
} from './editing/draft-handlers.ts'
import { expireContentProposals } from './editing/expire-proposals.ts'
import { findContent, getContentShape } from './editing/find-handlers.ts'
import { settleTakenOver } from './editing/note-files.ts'
import { makeContentPreview } from './editing/preview-handlers.ts'
import { deleteOldPreviews } from './editing/preview.queries.ts'
import {
  cancelContentRelease,
  confirmContentRelease,
  listContentReleases,
  publishContent,
  scheduleContent,
} from './editing/publish-handlers.ts'
import {
  openContentDocument,
  uploadContentDocument,
  uploadContentPicture,
  withdrawContentDocument,
} from './editing/upload-handlers.ts'
import { getContentVersion, listContentVersions } from './editing/version-handlers.ts'
import { readBrand, readFacts, readWords } from './read-content.ts'
import { readWhitePaper } from './white-paper.ts'

/** Far longer than it takes to put an uploaded file into a draft. */
const unusedFileAge = 2 * DAY

/** What the site says: words, facts and the brand, and what editors make of them. */
export const content = {
  calls: {
    readWords,
    readFacts,
    readBrand,
    readWhitePaper,
    listContentPieces,
    getContentPiece,
    saveContentDraft,
    discardContentDraft,
    checkContentDrafts,
    publishContent,
    scheduleContent,
    listContentReleases,
    confirmContentRelease,
    cancelContentRelease,
    listContentVersions,
    getContentVersion,
    restoreContentVersion,
    makeContentPreview,
    uploadContentDocument,
    withdrawContentDocument,
    uploadContentPicture,
    openContentDocument,
    getContentShape,
    findContent,
  },
  personal: {
    columns: {
      // The ids of those who wrote what the project says; their names go with the members' rows.
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
    contentProposals: (services) => expireContentProposals(services),
    contentPreviews: ({ db }) => deleteOldPreviews(db),
    contentFiles: ({ db, files }) => removeUnusedFiles(db, files, unusedFileAge),
  },
  workers: [startContentWorker],
} satisfies Noun
