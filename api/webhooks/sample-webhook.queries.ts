import type { Insertable } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'

type Rows = {
  endpoints: Insertable<DB['webhook_endpoint']>[]
  events: Insertable<DB['webhook_event']>[]
  deliveries: Insertable<DB['webhook_delivery']>[]
}

export async function insertSampleWebhookRows(
  db: Tx,
  { endpoints, events, deliveries }: Rows,
): Promise<void> {
  await db.insertInto('webhook_endpoint').values(endpoints).execute()
  if (events.length === 0) return
  await db.insertInto('webhook_event').values(events).execute()
  await db.insertInto('webhook_delivery').values(deliveries).execute()
}

export const findSampleCompleted = (db: Tx, since: Date) =>
  db
    .selectFrom('token_order')
    .select(['id', 'member_id', 'pay_method', 'amount', 'currency', 'fab_qty', 'updated_at as at'])
    .where('status', '=', 'completed')
    .where('updated_at', '>', since)
    .orderBy('updated_at')
    .execute()

export const findSamplePublished = (db: Tx, since: Date) =>
  db
    .selectFrom('announcement')
    .select(['id', 'slug', 'language', 'version', 'posted_at as at'])
    .where('state', '=', 'published')
    .where('posted_at', '>', since)
    .orderBy('posted_at')
    .execute()
