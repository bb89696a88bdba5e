import { randomUUID } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ChosenEventType } from '#contract/integrations/webhook-events.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'
import { aReceiver, aWebhook, deliveriesOf } from '#tests/webhooks.ts'
import { transaction } from '../../../platform/db/database.ts'
import { updateMemberRow, type MemberChange } from '../../../people/members/member.queries.ts'
import { recordEvent } from '../../../platform/outbox/event.queries.ts'
import { startWebhookWorker } from './webhook-worker.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const watcher = await aSignedInMember(started, { is_write_access_admin: true })
const anAdmin = (manage_finance = 1) =>
  aSignedInMember(started, { is_write_access_admin: true, manage_finance })
const lose = (member: TestMember, change: MemberChange = { manage_finance: 0 }) =>
  updateMemberRow(db, member.id, change)
const resume = (by: TestMember, id: string) =>
  call(api.setWebhookState, { body: { id, state: 'active' } }, as(by))
const read = async (id: string) => (await call(api.getWebhook, { params: { id } }, as(watcher))).body
const statesOf = async (id: string) => (await deliveriesOf(started, watcher, id)).map(({ state }) => state)

const completed = {
  orderId: 'o',
  memberId: 'm',
  status: 'completed' as const,
  payMethod: 'BTC',
  amount: null,
  currency: null,
  fabQty: null,
  completedAt: new Date().toISOString(),
}

/** An endpoint that someone set up, with a worker that sends to it. */
async function aSubscription(by: TestMember, events: ChosenEventType[] = ['order.completed']) {
  const receiver = await aReceiver()
  const { webhook } = await aWebhook(started, by, receiver.url, events)
  const worker = startWebhookWorker(services)
  onTestFinished(async () => {
    await worker.stop()
    await call(api.deleteWebhook, { body: { id: webhook.id } }, as(watcher))
  })
  const complete = async () => {
    await transaction(db, (db) => recordEvent(db, 'order.completed', randomUUID(), completed))
    worker.wake()
  }
  const received = () => receiver.received.map(({ event }) => event.type)
  return { id: webhook.id, complete, received, wake: worker.wake }
}

test.each<[string, MemberChange]>([
  ['lost the finance level', { manage_finance: 0 }],
  ['was closed', { active: false }],
  ['has too short a password', { password_length_ok_for_staff: false }],
])('an endpoint gets no finance event once the responsible person %s', async (_, change) => {
  const author = await anAdmin()
  const { id, complete, received } = await aSubscription(author)
  await complete()
  await expect.poll(received).toEqual(['order.completed'])
  await lose(author, change)
  await complete()
  await expect.poll(() => read(id)).toMatchObject({ state: 'disabled', disabledFor: 'finance_lost' })
  const [kept] = await deliveriesOf(started, watcher, id)
  expect(kept).toMatchObject({ state: 'waiting', attempts: 0, tries: [] })
  expect(received()).toHaveLength(1)
  const entry = db
    .selectFrom('audit_entry')
    .select(['actor_id', 'detail'])
    .where('subject_id', '=', id)
    .where('action', '=', 'webhook-disabled')
  expect(await entry.execute()).toEqual([{ actor_id: null, detail: { why: 'finance_lost' } }])
  const mail = (await started.mailsTo(watcher.email)).at(-1)!
  expect(mail.kind).toBe('staff-webhook-finance-lost')
  expect(mail.text).toContain(`/console/webhooks/${id}`)
})

test('a colleague with a finance level takes a stopped endpoint over by resuming it', async () => {
  const [author, colleague] = [await anAdmin(), await anAdmin()]
  const { id, complete, received, wake } = await aSubscription(author)
  await lose(author)
  await complete()
  await expect.poll(() => read(id)).toMatchObject({ disabledFor: 'finance_lost' })
  expect((await resume(watcher, id)).problem.code).toBe('forbidden')
  expect((await resume(colleague, id)).body).toMatchObject({ state: 'active', disabledFor: null })
  wake()
  await expect.poll(received).toEqual(['order.completed'])
  await lose(colleague)
  await complete()
  await expect.poll(() => read(id)).toMatchObject({ disabledFor: 'finance_lost', waiting: 1 })
})

test('whoever last set the secret, URL, or events with a finance level is responsible', async () => {
  const [author, colleague] = [await anAdmin(), await anAdmin()]
  const { id, complete, received } = await aSubscription(author, ['order.completed', 'post.published'])
  await call(api.rotateWebhookSecret, { body: { id } }, as(colleague))
  await lose(author)
  await complete()
  await expect.poll(received).toEqual(['order.completed'])
  // Without a finance level, the administrator can remove other events, but isn't responsible for the rest.
  const less = { id, events: ['order.completed' as const] }
  expect((await call(api.updateWebhook, { body: less }, as(watcher))).status).toBe(200)
  await complete()
  await expect.poll(() => received().length).toBe(2)
  await call(api.updateWebhook, { body: { id, description: 'Ledger' } }, as(await anAdmin()))
  await lose(colleague)
  await complete()
  await expect.poll(() => read(id)).toMatchObject({ disabledFor: 'finance_lost' })
})

test('other events need no finance level', async () => {
  const author = await anAdmin()
  const { id, received, wake } = await aSubscription(author, ['member.activated', 'order.completed'])
  await lose(author)
  const data = { memberId: 'm', activatedAt: new Date().toISOString() }
  await transaction(db, (db) => recordEvent(db, 'member.activated', 'm', data))
  wake()
  await expect.poll(received).toEqual(['member.activated'])
  await expect.poll(() => statesOf(id)).toEqual(['delivered'])
  expect(await read(id)).toMatchObject({ state: 'active' })
})
