import { DAY } from '#contract/platform/durations.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import * as announcementHandlers from './announcement-handlers.ts'
import { emptyTrash } from './announcement.queries.ts'
import * as authorHandlers from './author-handlers.ts'
import * as bulkPosts from './newsroom/bulk-posts.ts'
import * as linkHandlers from './newsroom/link-handlers.ts'
import * as previewHandlers from './newsroom/preview-handlers.ts'
import { startPublishWorker } from './newsroom/publish-worker.ts'
import * as readNewsroom from './newsroom/read-newsroom.ts'
import * as transitionHandlers from './newsroom/transition-handlers.ts'
import { removeUnusedPictures } from '../pictures/picture.queries.ts'
import * as readPosts from './read-posts.ts'
import { signBacklog, startSigningBacklog } from './signatures/sign-published.ts'
import * as signatureHandlers from './signatures/signature-handlers.ts'
import * as versionHandlers from './versions/version-handlers.ts'
import * as autosaveHandlers from './autosaves/autosave-handlers.ts'
import {
  deleteOldAutosaves,
  deleteAutosavesOfMember,
  hasAutosaves,
  listWholeAutosavesOf,
} from './autosaves/autosave.queries.ts'

/** Far longer than the time between two autosaves, in milliseconds. */
const unusedPictureAge = 2 * DAY
const picturesAtOnce = 500

/** News: reading, the newsroom, versions, pictures, signatures, and autosaves. */
export const announcements = {
  calls: collectHandlers(
    announcementHandlers,
    authorHandlers,
    bulkPosts,
    linkHandlers,
    previewHandlers,
    readNewsroom,
    transitionHandlers,
    readPosts,
    signatureHandlers,
    versionHandlers,
    autosaveHandlers,
  ),
  personal: {
    columns: {
      // Published posts stay; the author's name disappears with the member's row.
      announcement: { created_by: 'remains', edited_by: 'remains', deleted_by: 'remains', byline: 'remains' },
      announcement_version: { saved_by: 'remains' },
      announcement_working_copy: {
        member_id: 'erased',
        title: 'erased',
        content: 'erased',
        category: 'erased',
        card_src: 'erased',
        card_alt: 'erased',
      },
    },
    parts: { workingCopies: { isList: true, read: readAutosaves } },
    erases: { workingCopies: (db, { id }) => hasAutosaves(db, id) },
    erase: (db, { id }) => deleteAutosavesOfMember(db, id),
  },
  cleanUp: {
    trash: ({ db }) => emptyTrash(db),
    autosaves: ({ db }) => deleteOldAutosaves(db),
    unusedPictures: ({ db, files }) => removeUnusedPictures(db, files, unusedPictureAge, picturesAtOnce),
    unsignedPosts: signBacklog,
  },
  workers: [startPublishWorker, startSigningBacklog],
} satisfies Module

async function* readAutosaves({ db, member }: Source) {
  for (const row of await listWholeAutosavesOf(db, member.id))
    yield {
      title: row.title,
      category: row.category,
      language: row.language,
      content: row.content,
      card: row.card_src ? { src: row.card_src, alt: row.card_alt } : null,
      savedAt: row.saved_at.toISOString(),
    }
}
