import { contentLengthMax } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import {
  findSibling,
  lockAnnouncement,
  markEdited,
  updateAnnouncementRow,
  type AnnouncementContent,
  type AnnouncementStored,
} from './announcement.queries.ts'
import { prepareApart } from './prepare-apart.ts'
import { markPublished } from './mark-published.ts'
import { isSameText } from './post.rules.ts'
import { moveToSlug, refuseTaken, slugFor, vacateTrashed } from './slug.queries.ts'
import { storeInlinePictures } from '../pictures/store-picture.ts'
import { wasEverPublic } from './versions/version.queries.ts'

/** The stored form of a submitted text. */
export async function contentOf(
  store: Pick<Services, 'db' | 'files'>,
  given: { title: string; category: string; language: Language; content: string },
): Promise<AnnouncementContent> {
  const { content, contentSummary, isEmpty } = await prepareApart(
    await storeInlinePictures(store, given.content),
  )
  if (isEmpty) throw refusedField('content', 'required')
  // Sanitizing escapes a bracket to four characters, and a stored text must be accepted when it is submitted again.
  if (content.length > contentLengthMax) throw refusedField('content', 'too_long', { max: contentLengthMax })
  return {
    title: given.title,
    category: given.category,
    language: given.language,
    content,
    contentSummary,
  }
}

/** Rejects an edit conflict: if the caller states the version it edited, that must be the newest. */
export function requireUnchanged(stored: AnnouncementStored, lastEdited: string | null | undefined): void {
  const storedEdit = stored.edited_at?.toISOString() ?? null
  if (lastEdited !== undefined && lastEdited !== storedEdit) throw new Refused('conflict')
}

export const isLanguageTaken = (): Refused => refusedField('language', 'language_taken')

/**
 * Saves a text as the newest version of a post, records who did, and notifies every instance; an unchanged text creates
 * no version. Rejected if the post was saved after `lastEdited`. `finish` is part of the same transaction.
 */
export function saveText<T>(
  context: MemberContext,
  post: { id: string; lastEdited: string | null | undefined; restoredFrom?: number },
  content: AnnouncementContent,
  finish: (db: Tx) => Promise<T>,
): Promise<T> {
  const by = context.caller.memberId
  const { id, restoredFrom } = post
  const action = restoredFrom === undefined ? 'announcement-updated' : 'announcement-version-restored'
  const work = transaction(context.db, async (db) => {
    const stored = await lockAnnouncement(db, id)
    if (!stored) throw new Refused('not_found')
    requireUnchanged(stored, post.lastEdited)
    await markEdited(db, id, by)
    if (!isSameText(stored, content)) await saveVersion(db, context, stored, { content, by, restoredFrom })
    await recordAudit(db, {
      actorId: by,
      action,
      subjectKind: 'announcement',
      subjectId: id,
      ...(restoredFrom !== undefined && { detail: { version: restoredFrom } }),
    })
    if (stored.state !== 'draft') await announceChange(db, 'announcements')
    if (stored.state === 'published') await announceChange(db, 'retractions')
    return finish(db)
  })
  return refuseTaken(work, isLanguageTaken())
}

async function saveVersion(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  stored: AnnouncementStored,
  { content, ...saved }: { content: AnnouncementContent; by: string; restoredFrom: number | undefined },
): Promise<void> {
  if (content.language !== stored.language)
    await vacateTrashed(db, { slug: stored.slug, language: content.language })
  await updateAnnouncementRow(db, stored, content, saved)
  if (content.title !== stored.title) await followTitle(db, stored, content.title)
  if (stored.state === 'published') await markPublished(db, services, stored.id)
}

/** Updates the address with the title until the post has been public or has a translation. */
async function followTitle(db: Tx, stored: AnnouncementStored, title: string): Promise<void> {
  if ((await wasEverPublic(db, stored.id)) || (await findSibling(db, stored))) return
  const slug = await slugFor(db, title, stored.id)
  if (slug !== stored.slug) await moveToSlug(db, stored, slug, false)
}
