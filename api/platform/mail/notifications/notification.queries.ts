import { sql, type RawBuilder } from 'kysely'
import {
  notificationDays,
  unreadMax,
  type NotificationArea,
  type OptionalEmailArea,
} from '#contract/platform/notifications.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../db/database.ts'
import { ago } from '../../db/expressions.ts'
import { readPage, type Page } from '../../db/read-page.ts'

/** If the ID is undefined, `address` identifies the member. */
export type NewNotification = {
  memberId: string | undefined
  address: string
  kind: string
  area: NotificationArea
  path: string
  reference: string | null
}

/**
 * The lock waits for a concurrent erasure, after which nothing is inserted. Each member is found by the index: the
 * database expects a hundred notifications, and for so many it would read all members in an ordinary join.
 */
export const insertNotificationsSql = (notifications: readonly NewNotification[]): RawBuilder<unknown> => sql`
  insert into member_notification (member_id, kind, area, path, reference)
  select member.id, given.kind, given.area, given.path, given.reference
  from jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) as given ("memberId" text, address text, kind text,
    area notification_area, path text, reference text)
  cross join lateral (
    select member.id from member
    where member.id = coalesce(given."memberId", (select owner.id from member owner where owner.email = given.address))
      and member.erased_at is null
    for key share
  ) member`

export async function insertNotifications(db: Tx, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length > 0) await insertNotificationsSql(notifications).execute(db)
}

type Area = NotificationArea | undefined

const ownOf = (db: Tx, memberId: string, area: Area) =>
  db
    .selectFrom('member_notification')
    .selectAll()
    .where('member_id', '=', memberId)
    .$if(area !== undefined, (query) => query.where('area', '=', area!))

export type NotificationRow = Awaited<ReturnType<typeof listNotificationRows>>['rows'][number]

export const listNotificationRows = (db: Tx, memberId: string, { area, ...page }: Page & { area?: Area }) =>
  readPage(ownOf(db, memberId, area), page, { at: 'created_at', id: 'id' })

/** Every notification of the member, oldest first. */
export const listAllNotifications = (db: Tx, memberId: string) =>
  ownOf(db, memberId, undefined).orderBy('created_at').orderBy('id').execute()

export async function countUnseen(db: Tx, memberId: string): Promise<number> {
  const rows = await db
    .selectFrom('member_notification')
    .select('id')
    .where('member_id', '=', memberId)
    .where('seen_at', 'is', null)
    .limit(unreadMax)
    .execute()
  return rows.length
}

/** Returns how many of them belong to the member. Notifications that were already read keep their time. */
export async function markSeen(db: Tx, memberId: string, ids: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('member_notification')
    .set({ seen_at: sql<Date>`coalesce(seen_at, now())` })
    .where('member_id', '=', memberId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const unseenOf = (db: Tx, memberId: string) =>
  db
    .updateTable('member_notification')
    .set({ seen_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('seen_at', 'is', null)

export async function markAllSeen(db: Tx, memberId: string, until: Date): Promise<void> {
  await unseenOf(db, memberId).where('created_at', '<=', until).execute()
}

/** Marks the notifications that lead to a page, for a member who opened that page directly. */
export async function markSeenAt(db: Tx, memberId: string, path: string): Promise<void> {
  await unseenOf(db, memberId).where('path', '=', path).execute()
}

export const listMutedAreas = (db: Tx, memberId: string) =>
  db.selectFrom('muted_email_area').select(['area', 'since']).where('member_id', '=', memberId).execute()

/** Returns whether this changed anything. */
export async function muteArea(db: Tx, memberId: string, area: OptionalEmailArea): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('muted_email_area')
    .values({ member_id: memberId, area })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns whether this changed anything. */
export async function unmuteArea(db: Tx, memberId: string, area: OptionalEmailArea): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('muted_email_area')
    .where('member_id', '=', memberId)
    .where('area', '=', area)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteNotificationsOf(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('member_notification').where('member_id', '=', memberId).execute()
  await db.deleteFrom('muted_email_area').where('member_id', '=', memberId).execute()
}

export const deleteOldNotifications = (db: Tx) =>
  db
    .deleteFrom('member_notification')
    .where('created_at', '<', ago(notificationDays * DAY))
    .execute()
