import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { SECOND } from '#contract/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWebhook, deliveriesOf } from '#tests/webhooks.ts'
import { findNextDue } from './delivery.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
const by = { token: admin.token }

test('the next query is when something becomes due or a lease expires, at active endpoints', async () => {
  const { webhook } = await aWebhook(started, admin, 'https://hooks.example.com/in')
  const due = async () => Math.round(((await findNextDue(services.db)) ?? 0) / SECOND)
  for (let n = 0; n < 3; n += 1) await call(api.testWebhook, { body: { id: webhook.id } }, by)
  expect(await findNextDue(services.db)).toBeUndefined()
  const deliveries = await deliveriesOf(started, admin, webhook.id)
  const set = (n: number, change: object) =>
    services.db.updateTable('webhook_delivery').set(change).where('id', '=', deliveries[n]!.id).execute()
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * SECOND)
  await set(0, { next_try_at: inSeconds(100) })
  expect(await due()).toBe(100)
  await set(1, { claimed_until: inSeconds(40) })
  expect(await due()).toBe(40)
  await call(api.setWebhookState, { body: { id: webhook.id, state: 'paused' } }, by)
  expect(await findNextDue(services.db)).toBeUndefined()
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select d.claimed_until from webhook_delivery d
    where d.endpoint_id = 'x' and d.state = 'waiting' and d.claimed_until > now() order by d.claimed_until limit 1`.execute(
    services.db,
  )
  expect(JSON.stringify(rows)).toContain('webhook_delivery_claimed')
})
