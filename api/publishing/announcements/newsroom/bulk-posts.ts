import { api } from '#contract/api.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { deleteAnnouncement, updateAnnouncement } from '../announcement-handlers.ts'
import { lockAnnouncement } from '../announcement.queries.ts'
import { presentAnnouncement } from '../present-announcement.ts'
import { getAnnouncement } from '../reading.queries.ts'
import { requireUnchanged } from '../save-text.ts'
import { findNewsroomRowWhole } from './newsroom.queries.ts'
import { unpublishPost } from './transition-handlers.ts'

export const unpublishPosts = serveBulk(api.unpublishPosts, api.unpublishPost, {
  handle: unpublishPost,
  input: ({ id }) => ({ params: { id }, body: {} }),
})

export const deletePosts = serveBulk(api.deletePosts, api.deleteAnnouncement, {
  handle: deleteAnnouncement,
  input: ({ id }) => ({ params: { id }, body: {} }),
})

/** Saves a post in another category. A post that already has it stays as it is and doesn't count as edited. */
const changeCategory: Handler<typeof api.updateAnnouncement> = async (input, context) => {
  const { _id, category, lastEdited } = input.body
  const stored = await transaction(context.db, (db) => lockAnnouncement(db, _id))
  if (stored?.category !== category) return updateAnnouncement(input, context)
  requireUnchanged(stored, lastEdited)
  return presentAnnouncement(await getAnnouncement(context.db, _id))
}

/** Saves each post with its own text. If someone else saves it in between, the result is a conflict. */
export const changePostCategories = serveBulk(api.changePostCategories, api.updateAnnouncement, {
  handle: changeCategory,
  input: async ({ id, version }, { category }, { db }) => {
    const post = await findNewsroomRowWhole(db, id)
    if (!post) throw new Refused('not_found')
    const { title, language, content } = post
    const known = version ?? post.edited_at?.toISOString()
    return { body: { _id: id, title, language, content, category, lastEdited: known || null } }
  },
})
