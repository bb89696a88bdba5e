import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { webhooksMax } from '#contract/integrations/webhooks.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { aWebhook, deliveriesOf } from '#tests/webhooks.ts'
import { look } from '../../health/look.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db, keys } = services
const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
const by = { token: admin.token }
const url = 'https://hooks.example.com/in'

const auditOf = async (id: string) =>
  (
    await db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

test('adds, changes, and deletes an endpoint; its secret is returned once and stored encrypted', async () => {
  const { webhook, secret } = await aWebhook(started, admin, `${url}#part`)
  expect(webhook).toMatchObject({ url, state: 'active', disabledFor: null, waiting: 0, failed: 0 })
  const { id } = webhook
  const stored = await db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored.sealed_secret!.includes(secret)).toBe(false)
  expect(keys.open('webhook', id, stored.sealed_secret!)).toBe(secret)
  const texts = [
    await call(api.getWebhook, { params: { id } }, by),
    await call(api.listWebhooks, {}, by),
  ].map(({ body }) => JSON.stringify(body))
  expect(texts.some((text) => text.includes('whsec_'))).toBe(false)

  const changed = await call(
    api.updateWebhook,
    {
      body: {
        id,
        description: 'the ledger',
        events: ['order.completed', 'order.completed'],
        updatedAt: webhook.updatedAt,
      },
    },
    by,
  )
  expect(changed.body).toMatchObject({ description: 'the ledger', events: ['order.completed'], url })
  const late = { id, description: 'too late', updatedAt: webhook.updatedAt }
  expect((await call(api.updateWebhook, { body: late }, by)).problem.code).toBe('conflict')
  await call(api.rotateWebhookSecret, { body: { id } }, by)
  expect((await call(api.getWebhook, { params: { id } }, by)).body.formerSecretUntil).not.toBeNull()
  await call(api.setWebhookState, { body: { id, state: 'paused' } }, by)
  await call(api.setWebhookState, { body: { id, state: 'active' } }, by)
  await call(api.testWebhook, { body: { id } }, by)
  const [{ id: deliveryId } = { id: '' }] = await deliveriesOf(started, admin, id)
  await call(api.resendWebhookDelivery, { body: { id: deliveryId } }, by)
  expect((await call(api.deleteWebhook, { body: { id } }, by)).body).toEqual({ deleted: true })
  for (const gone of [
    await call(api.getWebhook, { params: { id } }, by),
    await call(api.listWebhookDeliveries, { params: { id } }, by),
    await call(api.resendWebhookDelivery, { body: { id: deliveryId } }, by),
    await call(api.testWebhook, { body: { id } }, by),
  ])
    expect([gone.status, gone.problem.code]).toEqual([404, 'not_found'])
  expect(await auditOf(id)).toEqual([
    'webhook-created',
    'webhook-updated',
    'webhook-secret-rotated',
    'webhook-paused',
    'webhook-resumed',
    'webhook-tested',
    'webhook-delivery-resent',
    'webhook-deleted',
  ])
})

test('changing the destination needs step-up authentication', async () => {
  const { webhook } = await aWebhook(started, admin, url)
  const other = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
  const { id } = webhook
  const { body: delivery } = await call(api.testWebhook, { body: { id } }, { token: other.token })
  await letProofAge(started, other)
  const answers = [
    await call(api.createWebhook, { body: { url, events: ['order.completed'] } }, { token: other.token }),
    await call(api.updateWebhook, { body: { id, url: 'https://evil.example.com/' } }, { token: other.token }),
    await call(api.rotateWebhookSecret, { body: { id } }, { token: other.token }),
    await call(api.deleteWebhook, { body: { id } }, { token: other.token }),
    await call(api.setWebhookState, { body: { id, state: 'paused' } }, { token: other.token }),
    await call(api.testWebhook, { body: { id } }, { token: other.token }),
    await call(api.resendWebhookDelivery, { body: { id: delivery.id } }, { token: other.token }),
    await call(
      api.resendFailedDeliveries,
      { body: { id, since: '2036-01-01T00:00:00.000Z' } },
      { token: other.token },
    ),
  ]
  expect(answers.map(({ problem }) => problem.code)).toEqual(Array.from(answers, () => 'step_up_required'))
})

test.each([
  ['http://hooks.example.com/', 'url_https'],
  ['https://10.0.0.1/', 'url_private'],
  ['https://[::ffff:10.0.0.1]/', 'url_private'],
  ['https://2852039166/', 'url_private'],
  ['https://user:word@hooks.example.com/', 'url_invalid'],
  ['https://hooks.example.com:6379/', 'url_port'],
  [new URL('/v2/', started.services.config.publicUrl).href.replace(/^http:/, 'https:'), 'url_own_site'],
  ['https://[::1/', 'invalid'],
  ['javascript:alert(1)', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
])('%s is no endpoint: %s', async (wrong, code) => {
  const { webhook } = await aWebhook(started, admin, url)
  const body = { url: wrong, events: ['order.completed' as const] }
  for (const { status, problem } of [
    await call(api.createWebhook, { body }, by),
    await call(api.updateWebhook, { body: { id: webhook.id, url: wrong } }, by),
  ])
    expect([status, problem.errors]).toMatchObject([400, [{ path: 'url', code }]])
  await call(api.deleteWebhook, { body: { id: webhook.id } }, by)
})

test('limits the number of endpoints, even for concurrent additions', async () => {
  await db.deleteFrom('webhook_endpoint').execute()
  await db.deleteFrom('throttle').execute()
  const add = () => call(api.createWebhook, { body: { url, events: ['order.completed'] } }, by)
  const answers = await Promise.all(Array.from({ length: webhooksMax + 3 }, add))
  const codes = answers.map(({ status }) => status).toSorted()
  expect(codes.filter((code) => code === 201)).toHaveLength(webhooksMax)
  expect(codes.filter((code) => code === 409)).toHaveLength(3)
  await db.deleteFrom('webhook_endpoint').execute()
})

test('keeps the log for thirty days, and a deleted endpoint for an hour', async () => {
  await db.deleteFrom('throttle').execute()
  const { webhook } = await aWebhook(started, admin, url)
  for (const age of [29, 31]) {
    const { eventId } = (await call(api.testWebhook, { body: { id: webhook.id } }, by)).body
    await db
      .updateTable('webhook_event')
      .set({ created_at: new Date(Date.now() - age * DAY) })
      .where('id', '=', eventId)
      .execute()
  }
  await cleanUp(services)
  expect(await deliveriesOf(started, admin, webhook.id)).toHaveLength(1)
  await call(api.deleteWebhook, { body: { id: webhook.id } }, by)
  await cleanUp(services)
  const rows = () => db.selectFrom('webhook_endpoint').selectAll().where('id', '=', webhook.id).execute()
  expect(await rows()).toMatchObject([{ sealed_secret: null, sealed_former_secret: null }])
  await db
    .updateTable('webhook_endpoint')
    .set({ deleted_at: new Date(Date.now() - 2 * HOUR) })
    .where('id', '=', webhook.id)
    .execute()
  await cleanUp(services)
  expect(await rows()).toEqual([])
  expect(await db.selectFrom('webhook_delivery').select('id').execute()).toEqual([])
})

test('lists the log page by page and by status, newest first', async () => {
  const { webhook } = await aWebhook(started, admin, url)
  const { id } = webhook
  for (let n = 0; n < 3; n += 1) await call(api.testWebhook, { body: { id } }, by)
  const first = await call(api.listWebhookDeliveries, { params: { id }, query: { limit: 2 } }, by)
  expect(first.body).toHaveLength(2)
  const [, after = ''] = /after=([^&>]+)/.exec(String(first.headers['link'])) ?? []
  const second = await call(api.listWebhookDeliveries, { params: { id }, query: { limit: 2, after } }, by)
  const ids = [...first.body, ...second.body].map((row) => row.id)
  expect(new Set(ids).size).toBe(3)
  const failed = await call(api.listWebhookDeliveries, { params: { id }, query: { state: 'failed' } }, by)
  expect(failed.body).toEqual([])
  await call(api.deleteWebhook, { body: { id } }, by)
})

test('health reports disabled, failing, delayed, and long-paused endpoints', async () => {
  const { webhook } = await aWebhook(started, admin, url)
  const seen = () => look('webhooks', services)
  const set = (change: object) =>
    db.updateTable('webhook_endpoint').set(change).where('id', '=', webhook.id).execute()
  expect(await seen()).toMatchObject({ state: 'good', problems: [] })
  await set({ failing_since: new Date(Date.now() - 2 * HOUR) })
  expect(await seen()).toMatchObject({ state: 'attention', problems: ['webhooks_failing'] })
  await set({ state: 'disabled', disabled_for: 'failures' })
  expect(await seen()).toMatchObject({ state: 'attention', problems: ['webhooks_disabled'] })
  await set({ state: 'paused', disabled_for: null, paused_at: new Date(Date.now() - 23 * HOUR) })
  expect(await seen()).toMatchObject({ state: 'good', problems: [] })
  await set({ paused_at: new Date(Date.now() - 25 * HOUR) })
  expect(await seen()).toMatchObject({ state: 'attention', problems: ['webhooks_paused'] })
  await set({ state: 'active', failing_since: null })
  await call(api.testWebhook, { body: { id: webhook.id } }, by)
  await db
    .updateTable('webhook_delivery')
    .set({ created_at: new Date(Date.now() - 2 * HOUR) })
    .execute()
  expect(await seen()).toMatchObject({ state: 'attention', problems: ['webhooks_waiting'] })
})
