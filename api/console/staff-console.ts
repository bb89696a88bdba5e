import { collectHandlers, type Module, type Source } from '../platform/module.ts'
import * as listNeedsAttention from './home/list-waiting.ts'
import * as notificationHandlers from './home/notification-handlers.ts'
import { deleteNotifications, findNotifications } from './home/notification.queries.ts'
import * as readFigures from './home/read-figures.ts'
import { startSendingDigests } from './home/send-digests.ts'
import * as readTimeline from './timeline/read-timeline.ts'
import { deleteViewsOfMember, listViewsOfMember } from './views/console-view.queries.ts'
import * as viewHandlers from './views/view-handlers.ts'

/** What the console shows across all modules, and the saved views of staff. */
export const staffConsole = {
  calls: collectHandlers(listNeedsAttention, notificationHandlers, readFigures, readTimeline, viewHandlers),
  personal: {
    columns: {
      console_view: {
        member_id: 'erased',
        list: 'erased',
        name: 'erased',
        query: 'erased',
        is_shared: 'erased',
      },
      staff_notification: { member_id: 'erased', muted: 'erased', seen: 'erased' },
    },
    parts: {
      savedViews: { isList: true, read: readViews },
      notifications: { isList: false, read: readNotifications },
    },
    async erase(db, { id }) {
      await deleteViewsOfMember(db, id)
      await deleteNotifications(db, id)
    },
  },
  workers: [startSendingDigests],
} satisfies Module

async function* readViews({ db, member }: Source) {
  for (const { list, name, query, is_shared, created_at } of await listViewsOfMember(db, member.id))
    yield { list, name, query, isShared: is_shared, createdAt: created_at.toISOString() }
}

async function* readNotifications({ db, member }: Source) {
  const { muted, has_digest } = await findNotifications(db, member.id)
  yield { muted, hasDigest: has_digest }
}
