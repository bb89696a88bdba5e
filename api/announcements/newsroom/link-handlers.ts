import type { api } from '#contract/api.ts'
import type { NewsroomPost } from '#contract/newsroom.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { announceChange } from '../../db/changes.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { findSibling, lockAnnouncement, markMoved } from '../announcement.queries.ts'
import { findOwnFormerSlug, moveToSlug, refuseTaken, slugFor, vacateTrashed } from '../slug.queries.ts'
import { wasEverPublic } from '../versions/version.queries.ts'
import { readNewsroomPost } from './present-newsroom-post.ts'

export const linkPosts: Handler<typeof api.linkPosts> = ({ params, body }, { db, caller }) => {
  const work = transaction(db, async (db) => {
    const [post, target] = await lockBoth(db, params.id, body.translationOf)
    if (post.language === target.language) throw refusedField('translationOf', 'language_taken')
    if (post.slug === target.slug) return readNewsroomPost(db, post.id)
    if ((await findSibling(db, post)) || (await findSibling(db, target))) throw new Refused('conflict')
    await vacateTrashed(db, { slug: target.slug, language: post.language })
    await moveToSlug(db, post, target.slug, await wasEverPublic(db, post.id))
    return tellMoved(db, post.id, caller.memberId, { action: 'announcement-linked', other: target.id })
  })
  return refuseTaken(work, new Refused('conflict'))
}

export const unlinkPost: Handler<typeof api.unlinkPost> = ({ params }, { db, caller }) =>
  transaction(db, async (db) => {
    const post = await lockAnnouncement(db, params.id)
    if (!post) throw new Refused('not_found')
    const sibling = await findSibling(db, post)
    if (!sibling) throw new Refused('conflict')
    const slug = (await findOwnFormerSlug(db, post.id)) ?? (await slugFor(db, post.title))
    // The address stays with the other one: whoever asks there must not be led away from it.
    await moveToSlug(db, post, slug, false)
    return tellMoved(db, post.id, caller.memberId, { action: 'announcement-unlinked', other: sibling.id })
  })

/** In the order of their ids, so that two who link the same pair do not wait for one another. */
async function lockBoth(db: Tx, id: string, otherId: string) {
  for (const each of [id, otherId].toSorted()) await lockAnnouncement(db, each)
  const [post, other] = [await lockAnnouncement(db, id), await lockAnnouncement(db, otherId)]
  if (!post || !other) throw new Refused('not_found')
  return [post, other] as const
}

async function tellMoved(
  db: Tx,
  id: string,
  by: string,
  { action, other }: { action: string; other: string },
): Promise<NewsroomPost> {
  await markMoved(db, id)
  await recordAudit(db, {
    actorId: by,
    action,
    subjectKind: 'announcement',
    subjectId: id,
    detail: { other },
  })
  await announceChange(db, 'announcements')
  return readNewsroomPost(db, id)
}
