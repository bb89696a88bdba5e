import { api } from '#contract/api.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { deleteAnnouncement, updateAnnouncement } from '../announcement-handlers.ts'
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

/** Saves each post with its own text. If someone else saves it in between, the result is a conflict. */
export const changePostCategories = serveBulk(api.changePostCategories, api.updateAnnouncement, {
  handle: updateAnnouncement,
  input: async ({ id, version }, { category }, { db }) => {
    const post = await findNewsroomRowWhole(db, id)
    if (!post) throw new Refused('not_found')
    const { title, language, content } = post
    const known = version ?? post.edited_at?.toISOString()
    return { body: { _id: id, title, language, content, category, lastEdited: known || null } }
  },
})
