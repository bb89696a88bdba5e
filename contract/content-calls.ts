import * as consoleContent from './console-content.ts'
import * as consoleContentFiles from './console-content-files.ts'
import * as contentShapes from './content-shapes.ts'
import * as contentVersions from './content-versions.ts'

/** How the content is edited: a part of `api.ts`. */
export const contentCalls = {
  listContentPieces: consoleContent.listContentPieces,
  getContentPiece: consoleContent.getContentPiece,
  saveContentDraft: consoleContent.saveContentDraft,
  discardContentDraft: consoleContent.discardContentDraft,
  checkContentDrafts: consoleContent.checkContentDrafts,
  publishContent: consoleContent.publishContent,
  scheduleContent: consoleContent.scheduleContent,
  listContentReleases: consoleContent.listContentReleases,
  confirmContentRelease: consoleContent.confirmContentRelease,
  cancelContentRelease: consoleContent.cancelContentRelease,
  listContentVersions: contentVersions.listContentVersions,
  getContentVersion: contentVersions.getContentVersion,
  restoreContentVersion: contentVersions.restoreContentVersion,
  makeContentPreview: consoleContent.makeContentPreview,
  uploadContentDocument: consoleContentFiles.uploadContentDocument,
  withdrawContentDocument: consoleContentFiles.withdrawContentDocument,
  uploadContentPicture: consoleContentFiles.uploadContentPicture,
  openContentDocument: consoleContentFiles.openContentDocument,
  getContentShape: contentShapes.getContentShape,
  findContent: contentShapes.findContent,
}
