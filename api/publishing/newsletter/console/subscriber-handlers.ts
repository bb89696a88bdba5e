import { api } from '#contract/api.ts'
import { subscribers, type ConsoleSubscriber } from '#contract/publishing/newsletter.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import { fieldColumns, type CsvColumns } from '../../../platform/http/csv-download.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { endSubscription } from '../unsubscribe.ts'
import { findSubscriber, lockSubscriber, type SubscriberRow } from '../subscriber.queries.ts'
import { listConsoleSubscribers } from './console-subscriber.queries.ts'

const presentSubscriber = (row: SubscriberRow): ConsoleSubscriber => ({
  id: row.id,
  email: row.email,
  memberId: row.member_id,
  state: row.state,
  language: row.language,
  categories: row.categories,
  rhythm: row.rhythm,
  askedAt: row.asked_at.toISOString(),
  consentedAt: row.consented_at?.toISOString() ?? null,
  wording: row.consented_at ? row.consent_wording : null,
  way: row.consent_way,
  endedAt: row.ended_at?.toISOString() ?? null,
  endedBy: row.ended_by,
  reason: row.end_reason,
})

const columns: CsvColumns<ConsoleSubscriber> = [
  ...fieldColumns('id', 'email', 'state', 'language'),
  ['categories', ({ categories }) => categories.join('; ')],
  ...fieldColumns('rhythm', 'askedAt', 'consentedAt', 'wording', 'way', 'endedAt', 'endedBy'),
]

export const { list: listSubscribers, file: exportSubscribers } = serveResource(subscribers, {
  read: ({ db }, filters, page) => listConsoleSubscribers(db, filters, page),
  present: (_, rows) => rows.map(presentSubscriber),
  file: { columns },
})

/** The reason is stored and deleted with the subscription; the audit log records the author. */
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

export const removeSubscribers = serveBulk(api.removeSubscribers, api.removeSubscriber, {
  handle: removeSubscriber,
  input: ({ id }, { reason }) => ({ body: { id, reason } }),
})
