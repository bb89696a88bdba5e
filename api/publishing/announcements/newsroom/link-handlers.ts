import type { api } from '#contract/api.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import type { NewsroomPost } from '#contract/publishing/newsroom.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import {
  findAnnouncementPlace,
  findSibling,
  lockAnnouncement,
  markMoved,
  type AnnouncementStored,
} from '../announcement.queries.ts'
import { findOwnFormerSlug, moveToSlug, refuseTaken, slugFor, vacateTrashed } from '../slug.queries.ts'
import { wasEverPublic } from '../versions/version.queries.ts'
import { markPublished } from '../mark-published.ts'
import { readNewsroomPost } from './present-newsroom-post.ts'

export const linkTranslations: Handler<typeof api.linkTranslations> = ({ params, body }, context) => {
  const work = transaction(context.db, async (db) => {
    const [post, target] = await lockBoth(db, params.id, body.translationOf)
    if (post.language === target.language) throw refusedField('translationOf', 'language_taken')
    if (post.slug === target.slug) return readNewsroomPost(db, post.id)
    if ((await findSibling(db, post)) || (await findSibling(db, target))) throw new Refused('conflict')
    await vacateTrashed(db, { slug: target.slug, language: post.language })
    await moveToSlug(db, post, target.slug, await wasEverPublic(db, post.id))
    return recordMove(db, context, post, { action: 'announcement-linked', other: target.id })
  })
  return refuseTaken(work, new Refused('conflict'))
}

export const unlinkTranslation: Handler<typeof api.unlinkTranslation> = ({ params }, context) =>
  transaction(context.db, async (db) => {
    const { post, sibling } = await lockPair(db, params.id)
    const slug = (await findOwnFormerSlug(db, post.id)) ?? (await slugFor(db, post.title))
    // The other post keeps the address: requests for it must not be redirected, unless nothing would be found there.
    const isLeft = sibling.state !== 'published' && (await wasEverPublic(db, post.id))
    await moveToSlug(db, post, slug, isLeft)
    return recordMove(db, context, post, { action: 'announcement-unlinked', other: sibling.id })
  })

/**
 * Locks both posts in the order of their IDs, so that two editors who link the same pair can't deadlock. A post deleted
 * just before is locked although it is not found; because someone working on the other post may need it, the lock is
 * released at once.
 */
async function lockBoth(db: Tx, id: string, otherId: string) {
  const locked = new Map<string, AnnouncementStored>()
  for (const each of [id, otherId].toSorted()) {
    const post = await lockAnnouncement(db, each)
    if (!post) throw new Refused('not_found')
    locked.set(each, post)
  }
  return [locked.get(id)!, locked.get(otherId)!] as const
}

/** Locks both posts: if two editors unlink the pair at the same time, the second one finds it unlinked. */
async function lockPair(db: Tx, id: string) {
  const seen = await findAnnouncementPlace(db, id)
  const other = seen && (await findSibling(db, seen))
  if (!other) {
    if (await lockAnnouncement(db, id)) throw new Refused('conflict')
    throw new Refused('not_found')
  }
  const [post] = await lockBoth(db, id, other.id)
  const sibling = await findSibling(db, post)
  if (sibling?.id !== other.id) throw new Refused('conflict')
  return { post, sibling }
}

async function recordMove(
  db: Tx,
  context: MemberContext,
  { id, state }: AnnouncementStored,
  { action, other }: { action: AuditActionOn<'announcement'>; other: string },
): Promise<NewsroomPost> {
  await markMoved(db, id)
  if (state === 'published') await markPublished(db, context, id)
  await recordAudit(db, {
    actorId: context.caller.memberId,
    action,
    subjectKind: 'announcement',
    subjectId: id,
    detail: { other },
  })
  await announceChange(db, 'announcements')
  return readNewsroomPost(db, id)
}
