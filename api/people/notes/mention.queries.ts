import type { NotedKind } from '#contract/people/mentions.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { mentions, type MentionFilters } from '#contract/people/mentions.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffName } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import {
  colleagues,
  colleaguesMax,
  type ColleagueRule,
  type RecordLevel,
} from '../members/colleague.queries.ts'
import type { Reader } from '../members/reader.ts'
import { notedColumns, type NotedRecord } from './note.queries.ts'

/** The member that a record is about, who must not read its notes as a colleague. */
const subjects: Record<NotedKind, (id: string) => RawBuilder<string>> = {
  member: (id) => sql`select ${id}::text`,
  order: (id) => sql`select o.member_id from token_order o where o.id = ${id}`,
  kyc: (id) => sql`select k.member_id from kyc_application k where k.id = ${id}`,
  'ambassador-application': (id) => sql`select m.id from ambassador_application a
    join member m on email_alias(m.email) = email_alias(a.email) where a.id = ${id}`,
}

type Mentioning = { about: NotedRecord; level: RecordLevel; authorId: string }

const mentionable = (db: Tx, rule: ColleagueRule, { about, level, authorId }: Mentioning) =>
  colleagues(db, rule, level, 1)
    .where('member.id', '<>', authorId)
    .where(sql<SqlBool>`member.id not in (${subjects[about.kind](about.id)})`)

/** Lists colleagues who can read the record. */
export const listMentionable = (db: Tx, rule: ColleagueRule, mentioning: Mentioning) =>
  mentionable(db, rule, mentioning).orderBy('name').limit(colleaguesMax).execute()

/** Whether all of them can read the record. */
export async function areMentionable(
  db: Tx,
  rule: ColleagueRule,
  mentioning: Mentioning,
  ids: readonly string[],
): Promise<boolean> {
  const found = await mentionable(db, rule, mentioning)
    .where(sql<SqlBool>`member.id = any(${ids})`)
    .execute()
  return found.length === ids.length
}

export const insertMentions = (db: Tx, noteId: string, memberIds: readonly string[]) =>
  db
    .insertInto('staff_mention')
    .values(memberIds.map((memberId) => ({ note_id: noteId, member_id: memberId })))
    .execute()

/** Mentions in notes about records that the reader’s levels allow them to read. */
const readable = (db: Tx, { id, finance, employee }: Reader) =>
  db
    .selectFrom('staff_mention')
    .innerJoin('staff_note', 'staff_note.id', 'staff_mention.note_id')
    .where('staff_mention.member_id', '=', id)
    .where(
      sql<SqlBool>`case when staff_note.order_id is not null or staff_note.application_id is not null
        then ${sql.lit(finance >= 1)} else ${sql.lit(employee >= 1)} end`,
    )

export const unseenMentionsFor = (db: Tx, reader: Reader) =>
  readable(db, reader).select('staff_mention.at').where('staff_mention.seen_at', 'is', null)

const selected = (db: Tx, reader: Reader) =>
  readable(db, reader)
    .leftJoin('member as author', (join) =>
      join.onRef('author.id', '=', 'staff_note.author_id').on('author.erased_at', 'is', null),
    )
    .leftJoin('member as noted', 'noted.id', 'staff_note.member_id')
    .leftJoin('token_order', 'token_order.id', 'staff_note.order_id')
    .leftJoin('kyc_application', 'kyc_application.id', 'staff_note.application_id')
    .leftJoin('ambassador_application', 'ambassador_application.id', 'staff_note.ambassador_application_id')
    .select(['staff_mention.id', 'staff_mention.at', 'staff_mention.seen_at', 'staff_note.text'])
    .select(Object.values(notedColumns).map((column) => `staff_note.${column}` as const))
    .select([
      staffName('author').as('by'),
      'token_order.reference',
      sql<
        string | null
      >`coalesce(nullif(noted.display_name, ''), noted.email, ambassador_application.full_name,
        nullif(trim(kyc_application.full_name || ' ' || kyc_application.last_name), ''))`.as('person'),
    ])

export type MentionRow = Awaited<ReturnType<typeof listMentionRows>>['rows'][number]

export const listMentionRows = (db: Tx, reader: Reader, filters: MentionFilters, page: Page) =>
  readList(
    mentions,
    {
      rows: selected(db, reader),
      where: {
        seen: (rows, seen) => rows.where('staff_mention.seen_at', seen === 'yes' ? 'is not' : 'is', null),
      },
      sortBy: { at: 'staff_mention.at' },
      id: 'staff_mention.id',
    },
    filters,
    page,
  )

/** Returns whether the member has that mention. */
export async function markSeen(db: Tx, memberId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('staff_mention')
    .set({ seen_at: sql<Date>`coalesce(seen_at, now())` })
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks the mentions in all notes about a record as seen. */
export const markSeenAbout = (db: Tx, memberId: string, { kind, id }: NotedRecord) =>
  db
    .updateTable('staff_mention')
    .set({ seen_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('seen_at', 'is', null)
    .where('note_id', 'in', (notes) =>
      notes
        .selectFrom('staff_note')
        .select('staff_note.id')
        .where(`staff_note.${notedColumns[kind]}`, '=', id),
    )
    .execute()

export const deleteMentionsOf = (db: Tx, memberId: string) =>
  db.deleteFrom('staff_mention').where('member_id', '=', memberId).execute()
