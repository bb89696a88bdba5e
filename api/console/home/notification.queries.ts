import { sql } from 'kysely'
import type { NotificationSettings } from '#contract/console/console-home.ts'
import type { Tx } from '../../platform/db/database.ts'

type Seen = Readonly<Record<string, number>>

/** What a member without stored choices has. */
const unset = { muted: [] as string[], has_digest: false, seen: {} as Seen }

export async function findNotifications(db: Tx, memberId: string): Promise<typeof unset> {
  const row = await db
    .selectFrom('staff_notification')
    .select(['muted', 'has_digest', 'seen'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row ? { ...row, seen: row.seen as Seen } : unset
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

export const saveSeen = (db: Tx, memberId: string, seen: Seen) =>
  db
    .insertInto('staff_notification')
    .values({ member_id: memberId, seen: JSON.stringify(seen) })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet(({ ref }) => ({ seen: ref('excluded.seen') })),
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
