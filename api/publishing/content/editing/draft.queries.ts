import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { staffName } from '../../../platform/db/expressions.ts'

const drafts = (db: Tx) =>
  db
    .selectFrom('content_draft as d')
    .leftJoin('member as m', 'm.id', 'd.saved_by')
    .select(['d.piece', 'd.place', 'd.value', 'd.n', 'd.saved_by', 'd.saved_at'])
    .select(staffName('m').as('saver_name'))
    .orderBy('d.piece')
    .orderBy('d.place')

export type DraftRow = Awaited<ReturnType<typeof listDrafts>>[number]

export const listDrafts = (db: Tx) => drafts(db).execute()

export const listDraftOf = (db: Tx, piece: string) => drafts(db).where('d.piece', '=', piece).execute()

type Entry = { piece: string; place: string; value: unknown; n: number; by: string }

export const upsertDraft = (db: Tx, { piece, place, value, n, by }: Entry) =>
  db
    .insertInto('content_draft')
    .values({ piece, place, value: JSON.stringify(value), n, saved_by: by })
    .onConflict((conflict) =>
      conflict.columns(['piece', 'place']).doUpdateSet({
        value: JSON.stringify(value),
        n,
        saved_by: by,
        saved_at: sql<Date>`now()`,
      }),
    )
    .execute()

export const deleteDraftPlace = (db: Tx, piece: string, place: string) =>
  db.deleteFrom('content_draft').where('piece', '=', piece).where('place', '=', place).execute()

export async function deleteDraft(db: Tx, piece: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('content_draft')
    .where('piece', '=', piece)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function readDraftBytes(db: Tx, piece: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(value::text)), 0) as bytes from content_draft where piece = ${piece}`.execute(
    db,
  )
  return Number(rows[0]!.bytes)
}
