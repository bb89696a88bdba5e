import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { digestReach, posts, type IssueRow } from './issue.queries.ts'

type Owed = { subscriber_id: string; announcement_id: string }

export async function recordOwed(db: Tx, rows: readonly Owed[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('newsletter_owed_post')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Posts owed to these readers, including those in this digest, which may be rewritten. */
export const listOwed = (db: Tx, { id }: IssueRow, readerIds: readonly string[]): Promise<Owed[]> =>
  db
    .selectFrom('newsletter_owed_post')
    .select(['subscriber_id', 'announcement_id'])
    .where(sql<boolean>`subscriber_id = any (${readerIds}::text[])`)
    .where(sql<boolean>`(issue_id is null or issue_id = ${id})`)
    .execute()

/** Those of them that are public now. */
export const listOwedPosts = (db: Tx, ids: readonly string[]) =>
  posts(db)
    .where(sql<boolean>`a.id = any (${ids}::text[])`)
    .where('a.state', '=', 'published')
    .where('a.posted_at', '>', ago(digestReach * DAY))
    .execute()

export async function recordReappearedPayment(
  db: Tx,
  { id }: IssueRow,
  rows: readonly Owed[],
): Promise<void> {
  for (const { subscriber_id, announcement_id } of rows)
    await db
      .updateTable('newsletter_owed_post')
      .set({ issue_id: id })
      .where('subscriber_id', '=', subscriber_id)
      .where('announcement_id', '=', announcement_id)
      .execute()
}

export async function deletePastOwed(db: Tx): Promise<void> {
  await sql`
    delete from newsletter_owed_post o using announcement a
    where a.id = o.announcement_id and a.posted_at < ${ago(2 * digestReach * DAY)}`.execute(db)
}
