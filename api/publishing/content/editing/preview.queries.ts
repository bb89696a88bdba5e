import { sql } from 'kysely'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fromNow } from '../../../platform/db/expressions.ts'
import { hasFactor } from '../../../people/members/member.queries.ts'

export async function insertPreview(
  db: Tx,
  preview: { hash: string; memberId: string; sessionId: string; life: number },
): Promise<Date> {
  const row = await db
    .insertInto('content_preview')
    .values({
      token_hash: preview.hash,
      member_id: preview.memberId,
      session_id: preview.sessionId,
      expires_at: fromNow(preview.life),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

export const deletePreviewsBeyond = (db: Tx, memberId: string, max: number) =>
  sql`delete from content_preview where token_hash in (
    select token_hash from content_preview where member_id = ${memberId}
    order by expires_at desc offset ${max})`.execute(db)

/** Returns a preview that has not expired, if its editor is still signed in and an editor. */
export async function findPreview(
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
  hash: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('content_preview')
    .innerJoin('session', 'session.id', 'content_preview.session_id')
    .innerJoin('member', 'member.id', 'content_preview.member_id')
    .select('content_preview.token_hash')
    .where('content_preview.token_hash', '=', hash)
    .where('content_preview.expires_at', '>', sql<Date>`now()`)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('member.active', '=', true)
    .where((where) =>
      where.or([where('member.manage_news', '>=', 1), where('member.is_write_access_admin', '=', true)]),
    )
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))
    .executeTakeFirst()
  return row !== undefined
}

export const deleteOldPreviews = (db: Tx) =>
  db
    .deleteFrom('content_preview')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
