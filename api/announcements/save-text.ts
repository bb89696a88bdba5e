import { contentLengthMax } from '#contract/announcements.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import type { Services } from '../services.ts'
import {
  findSibling,
  markEdited,
  updateAnnouncementRow,
  type AnnouncementContent,
  type AnnouncementStored,
} from './announcement.queries.ts'
import { markPublished } from './newsroom/mark-published.ts'
import { isSameText } from './newsroom/post.rules.ts'
import { isEmptyHtml, sanitise } from './sanitise.ts'
import { moveToSlug, slugFor, vacateTrashed } from './slug.queries.ts'
import { summarise } from './summarise.ts'
import { storeInlinePictures } from './pictures/take-in-picture.ts'
import { wasEverPublic } from './versions/version.queries.ts'

/** What is stored of what somebody handed in. */
export async function contentOf(
  store: Pick<Services, 'db' | 'files'>,
  given: { title: string; category: string; language: Language; content: string },
): Promise<AnnouncementContent> {
  const content = sanitise(await storeInlinePictures(store, given.content))
  if (isEmptyHtml(content)) throw refusedField('content', 'required')
  // Sanitising writes a bracket as four characters, and what is stored must pass when it is handed in again.
  if (content.length > contentLengthMax) throw refusedField('content', 'too_long', { max: contentLengthMax })
  return {
    title: given.title,
    category: given.category,
    language: given.language,
    content,
    contentSummary: summarise(content),
  }
}

/** Whoever says on what they build must build on the newest. */
export function demandUnchanged(stored: AnnouncementStored, lastEdited: string | null | undefined): void {
  const storedEdit = stored.edited_at?.toISOString() ?? null
  if (lastEdited !== undefined && lastEdited !== storedEdit) throw new Refused('conflict')
}

export const languageTaken = (): Refused => refusedField('language', 'language_taken')

/** Saves a text as the newest version of a locked post; a text that says the same makes none. */
export async function saveText(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  stored: AnnouncementStored,
  content: AnnouncementContent,
  saved: { by: string; restoredFrom?: number },
): Promise<void> {
  await markEdited(db, stored.id, saved.by)
  if (isSameText(stored, content)) return
  if (content.language !== stored.language)
    await vacateTrashed(db, { slug: stored.slug, language: content.language })
  await updateAnnouncementRow(db, stored, content, saved)
  if (content.title !== stored.title) await followTitle(db, stored, content.title)
  if (stored.state === 'published') await markPublished(db, services, stored.id)
}

/** Until somebody may know a post's address, it is made of the present title. */
async function followTitle(db: Tx, stored: AnnouncementStored, title: string): Promise<void> {
  if ((await wasEverPublic(db, stored.id)) || (await findSibling(db, stored))) return
  const slug = await slugFor(db, title, stored.id)
  if (slug !== stored.slug) await moveToSlug(db, stored, slug, false)
}
