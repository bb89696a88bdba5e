import { transaction } from '../db/database.ts'
import type { Noun, Source } from '../noun.ts'
import { exportSubscribers } from './console/export-subscribers.ts'
import { listSubscribers, removeSubscriber } from './console/subscriber-handlers.ts'
import { readPostMail, testPostMail } from './console/post-mail.ts'
import { deleteSubscription } from './end-subscription.ts'
import { startNewsWorker } from './feed-issues.ts'
import { followMembers } from './follow-members.ts'
import { deleteOldIssues, deletePastMailed } from './issue.queries.ts'
import { deletePastOwed } from './owed-post.queries.ts'
import { endOwnSubscription, readOwnSubscription, saveOwnSubscription } from './own-subscription.ts'
import { deletePastSubscribers, listSubscribersOf } from './subscriber.queries.ts'
import {
  changeSubscription,
  confirmSubscription,
  leaveNews,
  openSubscription,
  readDigestTime,
  subscribeToNews,
} from './subscription-handlers.ts'

/** News by mail: who gets it, and how what is published reaches the outbox. */
export const newsletter = {
  calls: {
    subscribeToNews,
    confirmSubscription,
    openSubscription,
    changeSubscription,
    leaveNews,
    readDigestTime,
    readOwnSubscription,
    saveOwnSubscription,
    endOwnSubscription,
    readPostMail,
    testPostMail,
    listSubscribers,
    exportSubscribers,
    removeSubscriber,
  },
  personal: {
    columns: {
      subscriber: {
        email: 'erased',
        member_id: 'erased',
        categories: 'erased',
        link_secret: 'erased',
        code_hash: 'erased',
        consent_wording: 'erased',
        consent_way: 'erased',
        end_reason: 'erased',
      },
    },
    parts: { newsletter: { isList: true, read: readSubscriptions } },
    erases: { newsletter: async (db, member) => (await listSubscribersOf(db, member)).length > 0 },
    erase: async (db, member) => {
      for (const { id } of await listSubscribersOf(db, member)) await deleteSubscription(db, id)
    },
  },
  cleanUp: {
    unconfirmedSubscribers: ({ db }) => deletePastSubscribers(db),
    movedSubscribers: ({ db }) => transaction(db, (db) => followMembers(db)),
    oldIssues: async ({ db }) => {
      await deletePastOwed(db)
      await deletePastMailed(db)
      await deleteOldIssues(db)
    },
  },
  workers: [startNewsWorker],
} satisfies Noun

async function* readSubscriptions({ db, member }: Source) {
  for (const row of await listSubscribersOf(db, member))
    yield {
      address: row.email,
      state: row.state,
      language: row.language,
      categories: row.categories,
      rhythm: row.rhythm,
      askedAt: row.asked_at.toISOString(),
      agreedAt: row.consented_at?.toISOString() ?? null,
      wording: row.consent_wording,
      way: row.consent_way,
      endedAt: row.ended_at?.toISOString() ?? null,
      endedBy: row.ended_by,
      reason: row.end_reason,
    }
}
