import type { api } from '#contract/api.ts'
import { optionalEmailAreas, type EmailChoices, type Notification } from '#contract/platform/notifications.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { Refused } from '../../refused.ts'
import { fill } from '../../text/fill.ts'
import { isMailKind } from '../mail-kinds.ts'
import { subjectOf } from '../render-mail.ts'
import {
  countUnseen,
  listMutedAreas,
  listNotificationRows,
  markAllSeen,
  markSeen,
  muteArea,
  unmuteArea,
  type NotificationRow,
} from './notification.queries.ts'

export const listNotifications: Handler<typeof api.listNotifications> = async (
  { query },
  { db, caller, request, answer },
) => {
  const { rows, next } = await listNotificationRows(db, caller.memberId, query)
  answer.setNext(next)
  return rows.map((row) => presentRow(row, request.language))
}

const presentRow = (row: NotificationRow, language: Language): Notification => ({
  id: row.id,
  area: row.area,
  text: textOf(row, language),
  path: row.path,
  at: row.created_at.toISOString(),
  isUnread: row.seen_at === null,
})

/** Rows may contain kinds from other releases, for which this release has no text. */
const textOf = ({ kind, reference }: NotificationRow, language: Language): string =>
  isMailKind(kind) ? fill(subjectOf(kind, language), { reference: reference ?? '' }) : kind

export const countUnreadNotifications: Handler<typeof api.countUnreadNotifications> = async (
  _,
  { db, caller },
) => ({ unread: await countUnseen(db, caller.memberId) })

export const markNotificationsRead: Handler<typeof api.markNotificationsRead> = async (
  { body },
  { db, caller },
) => {
  const ids = [...new Set(body.ids)]
  await transaction(db, async (db) => {
    if ((await markSeen(db, caller.memberId, ids)) < ids.length) throw new Refused('not_found')
  })
  return { read: true }
}

export const markAllNotificationsRead: Handler<typeof api.markAllNotificationsRead> = async (
  { body },
  { db, caller },
) => {
  await markAllSeen(db, caller.memberId, new Date(body.until))
  return { read: true }
}

async function readChoices(db: Tx, memberId: string): Promise<EmailChoices> {
  const muted = new Set<string>((await listMutedAreas(db, memberId)).map(({ area }) => area))
  return Object.fromEntries(optionalEmailAreas.map((area) => [area, !muted.has(area)])) as EmailChoices
}

export const readEmailChoices: Handler<typeof api.readEmailChoices> = (_, { db, caller }) =>
  readChoices(db, caller.memberId)

export const saveEmailChoice: Handler<typeof api.saveEmailChoice> = async (
  { body: { area, isOn } },
  { db, keys, caller: { memberId } },
) => {
  await requireWithinLimits(db, keys, [{ key: `email choice ${memberId}`, max: 60, window: HOUR }])
  return transaction(db, async (db) => {
    const hasChanged = await (isOn ? unmuteArea : muteArea)(db, memberId, area)
    if (hasChanged)
      await recordAudit(db, {
        actorId: memberId,
        action: isOn ? 'emails-turned-on' : 'emails-turned-off',
        subjectKind: 'member',
        subjectId: memberId,
        detail: { fields: [area] },
      })
    return readChoices(db, memberId)
  })
}
