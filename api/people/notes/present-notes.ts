import type { NotedKind } from '#contract/people/mentions.ts'
import type { MemberNote } from '#contract/people/console-members.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { notesShownMax } from '#contract/people/staff-notes.ts'
import { eachPage } from '../../platform/db/each-page.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { markSeenAbout } from './mention.queries.ts'
import { listNotes, type NotedRecord } from './note.queries.ts'

/** The level that the notes about a kind of record require. */
export const levelOfNoted = {
  member: 'employee',
  order: 'finance',
  kyc: 'finance',
  'ambassador-application': 'employee',
} as const satisfies Record<NotedKind, string>

/**
 * Returns the newest notes about someone else's record, or about the caller's own account, and marks the caller's
 * mentions in them as seen.
 */
export async function presentNotes(db: Tx, caller: Caller, about: NotedRecord): Promise<MemberNote[]> {
  const { memberId, rights, token } = caller
  if (!token) await markSeenAbout(db, memberId, about)
  const mayWrite = levelOf(rights, levelOfNoted[about.kind]) === 2 && about.id !== memberId
  const { rows } = await listNotes(db, about, { limit: notesShownMax })
  return rows.map(({ id, kind, text, at, by, author_id }) => ({
    id,
    kind,
    text,
    at: at.toISOString(),
    by,
    isRemovable: mayWrite && kind === 'note' && (rights.isWriteAccessAdmin || author_id === memberId),
  }))
}

const pageSize = 100

/**
 * All notes about a record, for the data export. The law gives members access to notes about them (GDPR, article 15);
 * the author's name is the colleague's own data.
 */
export async function* exportNotes(db: Database, about: NotedRecord) {
  const rows = eachPage((after) => listNotes(db, about, { limit: pageSize, after }))
  for await (const { kind, text, at } of rows) yield { at: at.toISOString(), on: kind, text }
}

/** The same for a record that is exported as one object. */
export async function exportNotesOf(db: Database, about: NotedRecord) {
  const notes: { at: string; text: string }[] = []
  for await (const { at, text } of exportNotes(db, about)) notes.push({ at, text })
  return notes
}
