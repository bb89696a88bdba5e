import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ChosenEventType } from '#contract/integrations/webhook-events.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWebhook, deliveriesOf } from '#tests/webhooks.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const both = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
const finance = await aSignedInMember(started, { manage_finance: 2 })
const url = 'https://hooks.example.com/secret-path'

const as = ({ token }: TestMember) => ({ token })
type Change = { id: string; url?: string; description?: string; events?: ChosenEventType[] }
const update = (member: TestMember, body: Change) => call(api.updateWebhook, { body }, as(member))
const codeOf = ({ status, problem }: { status: number; problem: { code: string } }) =>
  status < 300 ? status : problem.code
const complete = async () => {
  const order = await anOrder(started, (await aSignedInMember(started)).id, { fabQty: '5' })
  await updatePaid(started, { _id: order.id, status: 'completed' }, finance)
  return order.id
}
const auditOf = (id: string) =>
  db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

test('events about orders and identity go only where someone with a finance level allows it', async () => {
  for (const type of ['order.completed', 'case.decided'] as const) {
    const body = { url, events: ['post.published' as const, type] }
    expect(codeOf(await call(api.createWebhook, { body }, as(admin)))).toBe('forbidden')
  }
  const { id } = (await aWebhook(started, admin, url, ['post.published'])).webhook
  expect(codeOf(await update(admin, { id, events: ['post.published', 'case.decided'] }))).toBe('forbidden')
  expect(codeOf(await update(admin, { id, url: `${url}/2` }))).toBe(200)
  // The administrator was shown its secret.
  await call(api.rotateWebhookSecret, { body: { id, overlapHours: 0 } }, as(both))
  expect(codeOf(await update(both, { id, events: ['order.completed'] }))).toBe(200)
  await complete()
  const renew = (member: TestMember) => call(api.rotateWebhookSecret, { body: { id } }, as(member))
  const elsewhere = { id, url: 'https://evil.example.com/' }
  const tried = async () => [codeOf(await update(admin, elsewhere)), codeOf(await renew(admin))]
  expect(await tried()).toEqual(['forbidden', 'forbidden'])
  expect(codeOf(await update(admin, { id, description: 'the ledger' }))).toBe(200)
  // Removing the events first, or in the same request, doesn't help: deliveries in the log can be resent.
  expect(codeOf(await update(admin, { ...elsewhere, events: ['post.published'] }))).toBe('forbidden')
  expect(codeOf(await update(admin, { id, events: ['post.published'] }))).toBe(200)
  expect(await tried()).toEqual(['forbidden', 'forbidden'])
  expect([codeOf(await update(both, elsewhere)), codeOf(await renew(both))]).toEqual([200, 200])
})

test('shows finance events in the log only to permitted readers, and logs each access', async () => {
  const { id } = (await aWebhook(started, both, url, ['order.completed'])).webhook
  const orderId = await complete()
  await db
    .updateTable('webhook_delivery')
    .set({ response_excerpt: 'echo' })
    .where('endpoint_id', '=', id)
    .execute()
  const [seen] = await deliveriesOf(started, both, id)
  expect(seen).toMatchObject({ subjectId: orderId, responseExcerpt: 'echo' })
  expect(seen!.body).toContain(orderId)
  const [hidden] = await deliveriesOf(started, admin, id)
  const empty = { subjectId: '', responseExcerpt: '', body: '' }
  expect(hidden).toMatchObject({ ...empty, id: seen!.id, type: 'order.completed', state: 'waiting' })
  const again = await call(api.resendWebhookDelivery, { body: { id: seen!.id } }, as(admin))
  expect(again.body).toMatchObject(empty)
  await call(api.testWebhook, { body: { id } }, as(admin))
  expect((await deliveriesOf(started, admin, id))[0]).toMatchObject({
    type: 'webhook.test',
    responseExcerpt: '',
  })
  const readings = await db
    .selectFrom('audit_entry')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'webhook-listed')
    .orderBy('id')
    .execute()
  expect(readings).toMatchObject([
    { actor_id: both.id, detail: { id, count: 1 } },
    { actor_id: admin.id, detail: { id, count: 1 } },
    { actor_id: admin.id, detail: { id, count: 2 } },
  ])
})

test('logs a new destination by host, and emails administrators', async () => {
  const watcher = await aSignedInMember(started, { is_write_access_admin: true })
  const { id } = (await aWebhook(started, admin, url, ['post.published'])).webhook
  await update(admin, { id, url: 'https://moved.example.com/other-path' })
  await update(admin, { id, description: 'no news' })
  const entries = await auditOf(id)
  expect(entries).toMatchObject([
    { action: 'webhook-created', detail: { to: 'hooks.example.com' } },
    { action: 'webhook-updated', detail: { from: 'hooks.example.com', to: 'moved.example.com' } },
    { action: 'webhook-updated', detail: { fields: ['description'] } },
  ])
  const mails = await started.mailsTo(watcher.email)
  expect(mails.map(({ kind }) => kind)).toEqual(['staff-webhook-added', 'staff-webhook-moved'])
  expect(mails[1]!.text).toContain('moved. example. com')
  expect(JSON.stringify([entries, mails])).not.toMatch(/(secret|other)-path/)
})

test('sends nothing after a restore until someone allows it', async () => {
  await db.deleteFrom('webhook_endpoint').execute()
  const [active, paused] = [
    (await aWebhook(started, both, url, ['order.completed'])).webhook.id,
    (await aWebhook(started, both, url, ['order.completed'])).webhook.id,
  ]
  await call(api.rotateWebhookSecret, { body: { id: active } }, as(both))
  await call(api.setWebhookState, { body: { id: paused, state: 'paused' } }, as(both))
  await complete()
  const undo = new Error('undone')
  const seen = (db: Tx) =>
    db
      .selectFrom('webhook_endpoint as e')
      .innerJoin('webhook_delivery as d', 'd.endpoint_id', 'e.id')
      .select(['e.id', 'e.state', 'e.sealed_former_secret', 'e.former_secret_until', 'd.state as delivery'])
      .execute()
  const restoring = db.transaction().execute(async (db) => {
    await sql`select end_what_was_open(now())`.execute(db)
    const kept = { state: 'paused', sealed_former_secret: null, former_secret_until: null }
    const rows = await seen(db)
    expect(rows).toHaveLength(2)
    expect(rows.find(({ id }) => id === active)).toMatchObject({ ...kept, delivery: 'failed' })
    expect(rows.find(({ id }) => id === paused)).toMatchObject({ ...kept, delivery: 'waiting' })
    throw undo
  })
  await expect(restoring).rejects.toBe(undo)
})

test('someone shown the secret without a finance level cannot forge finance events', async () => {
  const watcher = await aSignedInMember(started, { is_write_access_admin: true })
  const { id } = (await aWebhook(started, admin, url, ['post.published'])).webhook
  const add = (events: ChosenEventType[]) => update(both, { id, events })
  const of = ['post.published', 'order.completed'] as ChosenEventType[]
  const rotate = async (member: TestMember, overlapHours: number) =>
    (await call(api.rotateWebhookSecret, { body: { id, overlapHours } }, as(member))).body.webhook
  expect((await add(of)).problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'events' }] })
  // Events without finance data can be added as before.
  expect(codeOf(await add(['post.published', 'member.activated']))).toBe(200)
  // The previous secret still signs too.
  expect((await rotate(both, 1)).isSecretOfFinance).toBe(false)
  expect(codeOf(await add(of))).toBe('validation_failed')
  expect((await rotate(both, 1)).isSecretOfFinance).toBe(true)
  expect((await rotate(admin, 0)).isSecretOfFinance).toBe(false)
  expect(codeOf(await add(of))).toBe('validation_failed')
  expect((await rotate(both, 0)).isSecretOfFinance).toBe(true)
  const added = await add(of)
  expect(codeOf(added)).toBe(200)
  // An existing subscription may stay, regardless of who knows the secret.
  await db.updateTable('webhook_endpoint').set({ secret_of_finance: false }).where('id', '=', id).execute()
  expect(codeOf(await add(['order.completed']))).toBe(200)
  const kinds = (await started.mailsTo(watcher.email)).map(({ kind }) => kind)
  expect(kinds).toEqual(['staff-webhook-added', 'staff-webhook-extended', 'staff-webhook-extended'])
})

test('a finance event being written goes only to its intended endpoint', async () => {
  const { id } = (await aWebhook(started, both, url, ['order.completed', 'post.published'])).webhook
  const elsewhere = { id, url: 'https://evil.example.com/' }
  const data = {
    orderId: 'o',
    memberId: 'm',
    status: 'completed' as const,
    payMethod: 'x',
    amount: null,
    currency: null,
    fabQty: null,
    completedAt: new Date().toISOString(),
  }
  let moved: ReturnType<typeof update> | undefined
  let isMoved = false
  await transaction(db, async (writing) => {
    await recordEvent(writing, 'order.completed', 'o', data)
    expect(codeOf(await update(both, { id, events: ['post.published'] }))).toBe(200)
    moved = update(admin, elsewhere)
    void moved.then(() => (isMoved = true))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isMoved).toBe(false)
  })
  expect(codeOf(await moved!)).toBe('forbidden')
})
