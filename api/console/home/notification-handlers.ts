import type { api } from '#contract/api.ts'
import { attentionItems, type NotificationSettings } from '#contract/console/console-home.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { countWaiting } from './list-waiting.ts'
import { findNotifications, saveNotifications, saveSeen } from './notification.queries.ts'

export const readNotificationSettings: Handler<typeof api.readNotificationSettings> = (_, { db, caller }) =>
  readSettings(db, caller.memberId)

export const saveNotificationSettings: Handler<typeof api.saveNotificationSettings> = async (
  { body },
  { db, caller },
) => {
  await saveNotifications(db, caller.memberId, { ...body, muted: [...new Set(body.muted)] })
  return readSettings(db, caller.memberId)
}

async function readSettings(db: Tx, memberId: string): Promise<NotificationSettings> {
  const { muted, has_digest } = await findNotifications(db, memberId)
  return { muted: attentionItems.filter((what) => muted.includes(what)), hasDigest: has_digest }
}

export const markNotificationsSeen: Handler<typeof api.markNotificationsSeen> = async (
  _,
  { db, caller, config },
) => {
  const { readAt } = await findNotifications(db, caller.memberId)
  const counts = await countWaiting({ db, config }, caller)
  await saveSeen(db, caller.memberId, {
    seen: Object.fromEntries(counts.map(({ what, count }) => [what, count])),
    seenAt: readAt,
  })
  return { seen: true }
}
