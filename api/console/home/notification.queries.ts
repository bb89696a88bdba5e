import { sql } from 'kysely'
import type { NotificationSettings } from '#contract/console/console-home.ts'
import type { Tx } from '../../platform/db/database.ts'

type Seen = Readonly<Record<string, number>>

/**
 * The choices of a member, and the time at which they were read: whatever is counted afterward is at least that new. A
 * member without stored choices has muted nothing and seen nothing.
 */
export async function findNotifications(db: Tx, memberId: string) {
  const row = await db
    .selectFrom(sql<{ read_at: Date }>`(select clock_timestamp() as read_at)`.as('now'))
    .leftJoin('staff_notification', (join) => join.on('staff_notification.member_id', '=', memberId))
    .select(['now.read_at', 'muted', 'has_digest', 'seen'])
    .executeTakeFirstOrThrow()
  const { muted, has_digest, seen, read_at: readAt } = row
  return { muted: muted ?? [], has_digest: has_digest ?? false, seen: (seen ?? {}) as Seen, readAt }
}

/** Someone who turns the daily email on gets the first one the next day. */
export const saveNotifications = (db: Tx, memberId: string, { muted, hasDigest }: NotificationSettings) =>
  db
    .insertInto('staff_notification')
    .values({ member_id: memberId, muted, has_digest: hasDigest, digest_sent_on: today })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet(({ ref }) => ({
        muted: ref('excluded.muted'),
        has_digest: ref('excluded.has_digest'),
        digest_sent_on: sql`case when staff_notification.has_digest then staff_notification.digest_sent_on
          else excluded.digest_sent_on end`,
      })),
    )
    .execute()

/** Saves counts, unless newer ones have been saved in the meantime, for example from another tab. */
export const saveSeen = (db: Tx, memberId: string, { seen, seenAt }: { seen: Seen; seenAt: Date }) =>
  db
    .insertInto('staff_notification')
    .values({ member_id: memberId, seen: JSON.stringify(seen), seen_at: seenAt })
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet(({ ref }) => ({ seen: ref('excluded.seen'), seen_at: ref('excluded.seen_at') }))
        .whereRef('staff_notification.seen_at', '<', 'excluded.seen_at'),
    )
    .execute()

const today = sql<Date>`(now() at time zone 'UTC')::date`

const isDue = sql<boolean>`staff_notification.has_digest
  and staff_notification.digest_sent_on is distinct from ${today}`

export async function listDueDigests(db: Tx): Promise<string[]> {
  const rows = await db.selectFrom('staff_notification').select('member_id').where(isDue).execute()
  return rows.map(({ member_id }) => member_id)
}

/** Returns whether this instance is the one to send today's email. */
export async function claimDigest(db: Tx, memberId: string): Promise<boolean> {
  const claimed = await db
    .updateTable('staff_notification')
    .set({ digest_sent_on: today })
    .where('member_id', '=', memberId)
    .where(isDue)
    .returning('member_id')
    .executeTakeFirst()
  return claimed !== undefined
}

export const deleteNotifications = (db: Tx, memberId: string) =>
  db.deleteFrom('staff_notification').where('member_id', '=', memberId).execute()
