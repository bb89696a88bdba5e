import type { api } from '#contract/api.ts'
import { bylineChoices } from '#contract/publishing/announcements.ts'
import type { Autosave } from '#contract/publishing/newsroom.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { holdPictures } from '../../pictures/picture.queries.ts'
import {
  deleteAutosavesBeyondMax,
  deleteOtherAutosaveOfPost,
  deleteAutosaveOf,
  findAutosave,
  holdAnnouncement,
  listAutosavesOf,
  lockAutosaves,
  upsertAutosave,
  type AutosaveRow,
  type WholeAutosaveRow,
} from './autosave.queries.ts'

const present = (row: AutosaveRow): Autosave => ({
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

/** What the autosave changes about how the post is presented. */
function presentationOf({ card_src: src, card_alt, byline }: WholeAutosaveRow) {
  const choice = bylineChoices.find((each) => each === byline)
  return {
    ...(src !== null && { card: src === '' ? null : { src, alt: card_alt ?? '' } }),
    ...(choice && { byline: choice }),
  }
}

export const listAutosaves: Handler<typeof api.listAutosaves> = async (_, { db, caller }) =>
  (await listAutosavesOf(db, caller.memberId)).map(present)

export const getAutosave: Handler<typeof api.getAutosave> = async ({ params }, { db, caller }) => {
  const row = await findAutosave(db, caller.memberId, params.id)
  if (!row) throw new Refused('not_found')
  return { ...present(row), content: row.content, ...presentationOf(row) }
}

/** Stores an autosave. A member has one per post: it replaces one from another of their browsers. */
export const saveAutosave: Handler<typeof api.saveAutosave> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    for (const id of [body.postId, body.translationOf])
      if (id && !(await holdAnnouncement(db, id))) throw new Refused('not_found')
    await lockAutosaves(db, caller.memberId)
    if (body.postId) await deleteOtherAutosaveOfPost(db, caller.memberId, body.postId, body.id)
    await holdPictures(db, `${body.content} ${body.card?.src ?? ''}`)
    const savedAt = await upsertAutosave(db, { ...body, memberId: caller.memberId })
    if (!savedAt) throw new Refused('not_found')
    await deleteAutosavesBeyondMax(db, caller.memberId)
    return { id: body.id, savedAt: savedAt.toISOString() }
  })

export const discardAutosave: Handler<typeof api.discardAutosave> = async ({ params }, { db, caller }) => {
  if (!(await deleteAutosaveOf(db, caller.memberId, params.id))) throw new Refused('not_found')
  return { dropped: true }
}
