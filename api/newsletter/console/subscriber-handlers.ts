import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { endSubscription } from '../end-subscription.ts'
import { findSubscriber, lockSubscriber } from '../subscriber.queries.ts'
import { listConsoleSubscribers } from './console-subscriber.queries.ts'
import { presentSubscriber } from './present-subscriber.ts'

export const listSubscribers: Handler<typeof api.listSubscribers> = async (
  { query: { limit, after, ...filters } },
  { db, answer },
) => {
  const { rows, next } = await listConsoleSubscribers(db, filters, { limit, after })
  answer.setNext(next)
  return rows.map(presentSubscriber)
}

/** The reason stands with the subscription and goes with it; the audit log tells who did it. */
export const removeSubscriber: Handler<typeof api.removeSubscriber> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    const row = await lockSubscriber(db, body.id)
    if (!row) throw new Refused('not_found')
    if (row.state === 'ended') throw new Refused('conflict')
    await endSubscription(db, row.id, 'removed', body.reason)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'subscriber-removed',
      subjectKind: 'subscriber',
      subjectId: row.id,
    })
    return presentSubscriber((await findSubscriber(db, row.id))!)
  })
