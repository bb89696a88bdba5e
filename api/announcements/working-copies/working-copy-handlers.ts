import type { api } from '#contract/api.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { holdPictures } from '../pictures/picture.queries.ts'
import {
  deleteCopiesBeyondMax,
  deleteOtherCopyOfPost,
  deleteWorkingCopy,
  holdAnnouncement,
  listWorkingCopiesOf,
  lockWorkingCopies,
  upsertWorkingCopy,
} from './working-copy.queries.ts'

export const listWorkingCopies: Handler<typeof api.listWorkingCopies> = async (_, { db, caller }) =>
  (await listWorkingCopiesOf(db, caller.memberId)).map((row) => ({
    id: row.id,
    postId: row.announcement_id,
    title: row.title,
    category: row.category,
    language: row.language,
    content: row.content,
    basedOn: row.based_on?.toISOString() ?? null,
    savedAt: row.saved_at.toISOString(),
  }))

/** A member has one copy of a post: what another browser of theirs kept of it is taken over. */
export const keepWorkingCopy: Handler<typeof api.keepWorkingCopy> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    if (body.postId && !(await holdAnnouncement(db, body.postId))) throw new Refused('not_found')
    await lockWorkingCopies(db, caller.memberId)
    if (body.postId) await deleteOtherCopyOfPost(db, caller.memberId, body.postId, body.id)
    await holdPictures(db, body.content)
    const savedAt = await upsertWorkingCopy(db, { ...body, memberId: caller.memberId })
    if (!savedAt) throw new Refused('not_found')
    await deleteCopiesBeyondMax(db, caller.memberId)
    return { id: body.id, savedAt: savedAt.toISOString() }
  })

export const dropWorkingCopy: Handler<typeof api.dropWorkingCopy> = async ({ params }, { db, caller }) => {
  if (!(await deleteWorkingCopy(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { dropped: true }
}
