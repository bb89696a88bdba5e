import type { api } from '#contract/api.ts'
import type { WorkingCopy } from '#contract/newsroom.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { holdPictures } from '../pictures/picture.queries.ts'
import {
  deleteCopiesBeyondMax,
  deleteOtherCopyOfPost,
  dropWorkingCopyOf,
  findWorkingCopy,
  holdAnnouncement,
  listWorkingCopiesOf,
  lockWorkingCopies,
  upsertWorkingCopy,
  type WorkingCopyRow,
} from './working-copy.queries.ts'

const present = (row: WorkingCopyRow): WorkingCopy => ({
  id: row.id,
  postId: row.announcement_id,
  translationOf: row.translation_of,
  postTitle: row.post_title,
  title: row.title,
  category: row.category,
  language: row.language,
  basedOn: row.based_on?.toISOString() ?? null,
  savedAt: row.saved_at.toISOString(),
})

export const listWorkingCopies: Handler<typeof api.listWorkingCopies> = async (_, { db, caller }) =>
  (await listWorkingCopiesOf(db, caller.memberId)).map(present)

export const getWorkingCopy: Handler<typeof api.getWorkingCopy> = async ({ params }, { db, caller }) => {
  const row = await findWorkingCopy(db, caller.memberId, params.id)
  if (!row) throw new Refused('not_found')
  return { ...present(row), content: row.content }
}

/** A member has one copy of a post: what another browser of theirs kept of it is taken over. */
export const keepWorkingCopy: Handler<typeof api.keepWorkingCopy> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    for (const id of [body.postId, body.translationOf])
      if (id && !(await holdAnnouncement(db, id))) throw new Refused('not_found')
    await lockWorkingCopies(db, caller.memberId)
    if (body.postId) await deleteOtherCopyOfPost(db, caller.memberId, body.postId, body.id)
    await holdPictures(db, body.content)
    const savedAt = await upsertWorkingCopy(db, { ...body, memberId: caller.memberId })
    if (!savedAt) throw new Refused('not_found')
    await deleteCopiesBeyondMax(db, caller.memberId)
    return { id: body.id, savedAt: savedAt.toISOString() }
  })

export const dropWorkingCopy: Handler<typeof api.dropWorkingCopy> = async ({ params }, { db, caller }) => {
  if (!(await dropWorkingCopyOf(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { dropped: true }
}
