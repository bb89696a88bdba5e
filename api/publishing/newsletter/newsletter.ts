import { transaction } from '../../platform/db/database.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import * as subscriberHandlers from './console/subscriber-handlers.ts'
import * as postMail from './console/post-mail.ts'
import { deleteSubscription } from './unsubscribe.ts'
import { startNewsWorker } from './queue-issues.ts'
import { followMembers } from './follow-members.ts'
import { deleteOldIssues, deletePastMailed } from './issue.queries.ts'
import { deletePastOwed } from './owed-post.queries.ts'
import * as ownSubscription from './own-subscription.ts'
import { deletePastSubscribers, listSubscribersOf } from './subscriber.queries.ts'
import * as subscriptionHandlers from './subscription-handlers.ts'

/** News by email: its subscribers, and how posts reach the outbox. */
export const newsletter = {
  calls: collectHandlers(subscriberHandlers, postMail, ownSubscription, subscriptionHandlers),
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
} satisfies Module

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
