import { spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi, startAnotherInstance, type TestApi } from '#tests/setup/start-api.ts'
import { aReceiver, aWebhook, deliveriesOf, eventIdsOf, passTime, type Received } from '#tests/webhooks.ts'
import { transaction } from '../../../platform/db/database.ts'
import { instance } from '../../../platform/jobs/instance.ts'
import { recordHeartbeat } from '../../../platform/jobs/job.queries.ts'
import { jobRuns } from '../../../platform/jobs/record-run.ts'
import { makeKeys } from '../../../platform/keys.ts'
import { claimDeliveries } from '../../../platform/outbox/delivery.queries.ts'
import { recordEvent } from '../../../platform/outbox/event.queries.ts'
import { retryWaits, startWebhookWorker, waitAfter } from './webhook-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const by = { token: admin.token }

const working = new Set<ReturnType<typeof startWebhookWorker>>()
const work = (of: TestApi = started) => {
  const worker = startWebhookWorker(of.services)
  working.add(worker)
  onTestFinished(async () => {
    working.delete(worker)
    await worker.stop()
  })
  return worker
}
/**
 * Inserts an event and wakes the workers, as a notification from the transaction would; otherwise they would wait for
 * their timer.
 */
const happen = async (subject: string) => {
  await transaction(services.db, (db) =>
    recordEvent(db, 'member.activated', subject, {
      memberId: subject,
      activatedAt: new Date().toISOString(),
    }),
  )
  working.forEach((worker) => worker.wake())
}
const remove = (id: string) => call(api.deleteWebhook, { body: { id } }, by)
async function anEndpoint(url: string) {
  const made = await aWebhook(started, admin, url, ['member.activated'])
  onTestFinished(() => void remove(made.webhook.id))
  return made
}
const read = async (id: string) => (await call(api.getWebhook, { params: { id } }, by)).body
const statesOf = async (id: string) => (await deliveriesOf(started, admin, id)).map(({ state }) => state)

/** Computes signatures like a receiver would, from the description of Standard Webhooks, without our own code. */
const signaturesBy = (secret: string, { headers, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update([headers['webhook-id'], headers['webhook-timestamp'], body].join('.'))
    .digest('base64')}`

test('delivers events with ID, time, and a signature that the receiver verifies', async () => {
  const receiver = await aReceiver((response) => void response.writeHead(200).end('thank you'))
  const { webhook, secret } = await anEndpoint(receiver.url)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  work()
  await happen('m-signed')
  await expect.poll(() => statesOf(webhook.id)).toEqual(['delivered'])
  const [one] = receiver.received
  expect(one!.headers['webhook-signature']).toBe(signaturesBy(secret, one!))
  expect(one!.headers['webhook-id']).toBe(one!.event.id)
  expect(Math.abs(Number(one!.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(600)
  expect(one!.event).toMatchObject({ type: 'member.activated', data: { memberId: 'm-signed' } })
  const [delivery] = await deliveriesOf(started, admin, webhook.id)
  expect(delivery).toMatchObject({
    eventId: one!.event.id,
    attempts: 1,
    status: 200,
    trouble: null,
    responseExcerpt: 'thank you',
    nextTryAt: null,
    body: one!.body,
  })
  expect(await read(webhook.id)).toMatchObject({ failingSince: null, waiting: 0, failed: 0 })

  // A new secret signs beside the previous one, and alone once the overlap ends.
  const rotate = async (overlapHours: number) =>
    (await call(api.rotateWebhookSecret, { body: { id: webhook.id, overlapHours } }, by)).body.secret
  const next = await rotate(1)
  await happen('m-rotated')
  await expect.poll(() => receiver.received.length).toBe(2)
  const both = receiver.received[1]!
  expect(both.headers['webhook-signature']).toBe(`${signaturesBy(next, both)} ${signaturesBy(secret, both)}`)
  const last = await rotate(0)
  await happen('m-last')
  await expect.poll(() => receiver.received.length).toBe(3)
  const alone = receiver.received[2]!
  expect(alone.headers['webhook-signature']).toBe(signaturesBy(last, alone))
})

test('delays grow over three days, randomized by a fifth at most', () => {
  const [least, most] = [
    retryWaits.map((_, n) => waitAfter(n + 1, () => 0)),
    retryWaits.map((_, n) => waitAfter(n + 1, () => 1)),
  ]
  expect(least).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    20 * HOUR,
  ])
  expect(most).toEqual(least.map((wait) => Math.round(wait! * 1.2)))
  expect(least.reduce<number>((sum, wait) => sum + wait!, 0) / HOUR).toBeGreaterThan(71)
  expect(waitAfter(retryWaits.length + 1)).toBeUndefined()
})

test('retries with the same ID and body until it gives up; then the endpoint is disabled and reported', async () => {
  const receiver = await aReceiver((response) => void response.writeHead(500).end('broken'))
  const { webhook } = await anEndpoint(receiver.url)
  const worker = work()
  await happen('m-fails')
  for (let n = 1; n <= retryWaits.length; n += 1) {
    await expect
      .poll(async () => (await deliveriesOf(started, admin, webhook.id))[0])
      .toMatchObject({ attempts: n, state: 'retrying', status: 500, trouble: 'status' })
    const [{ nextTryAt, changedAt } = { nextTryAt: null, changedAt: '' }] = await deliveriesOf(
      started,
      admin,
      webhook.id,
    )
    const wait = Date.parse(nextTryAt!) - Date.parse(changedAt)
    expect(wait).toBeGreaterThanOrEqual(retryWaits[n - 1]! - 5)
    expect(wait).toBeLessThanOrEqual(retryWaits[n - 1]! * 1.2 + 5)
    if (n === retryWaits.length)
      await services.db
        .updateTable('webhook_endpoint')
        .set({ failing_since: new Date(Date.now() - 72 * HOUR) })
        .where('id', '=', webhook.id)
        .execute()
    await passTime(started, webhook.id, wait + 1)
    worker.wake()
  }
  await expect.poll(() => statesOf(webhook.id)).toEqual(['failed'])
  await expect
    .poll(() => read(webhook.id))
    .toMatchObject({ state: 'disabled', disabledFor: 'failures', failed: 1 })
  expect(new Set(receiver.received.map(({ event, body }) => event.id + body)).size).toBe(1)
  expect(receiver.received).toHaveLength(retryWaits.length + 1)
  const mails = await mailsTo(admin.email)
  expect(mails.at(-1)).toMatchObject({ kind: 'staff-webhook-disabled' })
  expect(mails.at(-1)!.text).toContain(`/console/webhooks/${webhook.id}`)

  // Later events wait until the endpoint is resumed; failed ones are sent again manually.
  await happen('m-meanwhile')
  receiver.how.answer = (response) => void response.writeHead(204).end()
  await call(api.setWebhookState, { body: { id: webhook.id, state: 'active' } }, by)
  worker.wake()
  await expect.poll(() => statesOf(webhook.id)).toEqual(['delivered', 'failed'])
  const since = new Date(Date.now() - HOUR).toISOString()
  const resent = await call(api.resendFailedDeliveries, { body: { id: webhook.id, since } }, by)
  expect(resent.body).toEqual({ count: 1 })
  worker.wake()
  await expect.poll(() => statesOf(webhook.id)).toEqual(['delivered', 'delivered'])
  expect(receiver.received.at(-1)!.event.id).toBe(receiver.received[0]!.event.id)
})

test('410 Gone disables the endpoint at once', async () => {
  const receiver = await aReceiver((response) => void response.writeHead(410).end())
  const { webhook } = await anEndpoint(receiver.url)
  work()
  await happen('m-gone')
  await expect.poll(() => read(webhook.id)).toMatchObject({ state: 'disabled', disabledFor: 'gone' })
  expect(await statesOf(webhook.id)).toEqual(['failed'])
  expect((await mailsTo(admin.email)).at(-1)).toMatchObject({ kind: 'staff-webhook-gone' })
  await happen('m-later')
  expect(await statesOf(webhook.id)).toEqual(['waiting', 'failed'])
  expect(receiver.received).toHaveLength(1)
})

test('a paused endpoint gets nothing, and everything once resumed', async () => {
  const receiver = await aReceiver()
  const { webhook } = await anEndpoint(receiver.url)
  await call(api.setWebhookState, { body: { id: webhook.id, state: 'paused' } }, by)
  await happen('m-paused')
  const worker = work()
  worker.wake()
  const other = await aReceiver()
  const second = await anEndpoint(other.url)
  await call(api.testWebhook, { body: { id: second.webhook.id } }, by)
  worker.wake()
  await expect.poll(() => other.received.map(({ event }) => event.type)).toEqual(['webhook.test'])
  expect(receiver.received).toEqual([])
  await call(api.setWebhookState, { body: { id: webhook.id, state: 'active' } }, by)
  worker.wake()
  await expect.poll(() => receiver.received.length).toBe(1)
})

test('a hanging receiver occupies four requests, and delays no other', async () => {
  const waiting: (() => void)[] = []
  const slow = await aReceiver((response) => void waiting.push(() => response.writeHead(204).end()))
  const quick = await aReceiver()
  const first = await anEndpoint(slow.url)
  for (let n = 0; n < 12; n += 1) await happen(`m-slow-${n}`)
  const second = await anEndpoint(quick.url)
  const [one, two] = [work(), work(await startAnotherInstance(started))]
  await expect.poll(() => waiting.length).toBe(4)
  for (let n = 0; n < 6; n += 1) await happen(`m-quick-${n}`)
  one.wake()
  two.wake()
  await expect.poll(() => quick.received.length).toBe(6)
  expect(waiting).toHaveLength(4)
  slow.how.answer = (response) => void response.writeHead(204).end()
  waiting.forEach((answer) => answer())
  await expect.poll(async () => new Set(await statesOf(first.webhook.id))).toEqual(new Set(['delivered']))
  expect(new Set(slow.received.map(({ event }) => event.id)).size).toBe(18)
  expect(slow.received).toHaveLength(18)
  expect((await read(second.webhook.id)).waiting).toBe(0)
})

test('sends events of one subject in order, one at a time, across instances and failures', async () => {
  let underWay = 0
  let most = 0
  let fails = 1
  const receiver = await aReceiver((response) => {
    underWay += 1
    most = Math.max(most, underWay)
    setTimeout(() => {
      underWay -= 1
      response.writeHead(fails-- > 0 ? 500 : 204).end()
    }, 10)
  })
  const { webhook } = await anEndpoint(receiver.url)
  for (let n = 0; n < 6; n += 1) await happen('m-in-order')
  const workers = [work(), work(await startAnotherInstance(started))]
  await expect.poll(() => statesOf(webhook.id)).toContain('retrying')
  await passTime(started, webhook.id, MINUTE)
  await expect
    .poll(async () => {
      workers.forEach((each) => each.wake())
      return new Set(await statesOf(webhook.id))
    })
    .toEqual(new Set(['delivered']))
  const written = await eventIdsOf(started, webhook.id)
  const ids = receiver.received.map(({ event }) => event.id)
  expect(ids).toEqual([written[0], ...written])
  expect(most).toBe(1)
})

test('a shutdown releases deliveries in progress, and a lost instance’s return after their lease', async () => {
  const receiver = await aReceiver(() => {})
  const { webhook } = await anEndpoint(receiver.url)
  const worker = startWebhookWorker(services)
  await happen('m-stopped')
  worker.wake()
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(await statesOf(webhook.id)).toEqual(['sending'])
  const [{ id } = { id: '' }] = await deliveriesOf(started, admin, webhook.id)
  const inHand = await call(api.resendWebhookDelivery, { body: { id } }, by)
  expect([inHand.status, inHand.problem.code]).toEqual([409, 'conflict'])
  await worker.stop()
  expect(await statesOf(webhook.id)).toEqual(['waiting'])
  // Simulates an instance that claimed the delivery and died.
  await services.db
    .updateTable('webhook_delivery')
    .set({ claimed_until: new Date(Date.now() + HOUR) })
    .where('id', '=', id)
    .execute()
  receiver.how.answer = (response) => void response.writeHead(204).end()
  const next = work()
  await services.db
    .updateTable('webhook_delivery')
    .set({ claimed_until: new Date(Date.now() - 1) })
    .where('id', '=', id)
    .execute()
  next.wake()
  await expect.poll(() => statesOf(webhook.id)).toEqual(['delivered'])
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1)
})

test('waking the worker at the end of a round takes effect at once', async () => {
  let rounds = 0
  const unsubscribe = jobRuns.subscribe(({ db, job }) => {
    if (db !== services.db || job !== 'webhookDelivery') return
    rounds += 1
    // The worker's last query is over, but its round is not.
    if (rounds === 1) worker.wake()
  })
  onTestFinished(unsubscribe)
  const worker = work()
  await expect.poll(() => rounds, { timeout: 4 * SECOND }).toBe(2)
})

test('an undecryptable secret sends nothing, and is reported', async () => {
  const receiver = await aReceiver()
  const { webhook } = await anEndpoint(receiver.url)
  await happen('m-other-key')
  const other = { ...started, services: { ...services, keys: makeKeys(Buffer.alloc(32, 7)) } }
  work(other)
  await expect
    .poll(async () => (await deliveriesOf(started, admin, webhook.id))[0])
    .toMatchObject({ state: 'retrying', trouble: 'unreadable_secret', status: null })
  expect(receiver.received).toEqual([])
})

test.skipIf(instance.machine === null)(
  'sends a delivery claimed by an ended instance before its lease expires',
  async () => {
    const receiver = await aReceiver()
    const { webhook } = await anEndpoint(receiver.url)
    await happen('m-ended')
    const { db } = services
    const [claimed] = await claimDeliveries(db, webhook.id, { lease: HOUR, concurrency: 1 })
    const ended = { id: randomUUID(), pid: spawnSync(process.execPath, ['--version']).pid }
    await recordHeartbeat(db, { ...instance, ...ended })
    await sql`update webhook_delivery set tries = jsonb_set(tries, '{-1,by}', to_jsonb(${ended.id}::text))
      where id = ${claimed!.id}`.execute(db)
    work()
    await expect.poll(() => statesOf(webhook.id)).toEqual(['delivered'])
    expect(receiver.received).toHaveLength(1)
  },
)
