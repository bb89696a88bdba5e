import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from '#api/app.ts'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { eventStreamType } from '#contract/platform/event-stream.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { updateOrderRow } from '../orders/order.queries.ts'
import { perMemberMax, startOrderStreams } from './order-streams.ts'

const started = await startApi({}, afterAll)
const { app, services, call } = started
const { db } = services
let address = ''
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${apiBase}icotx/changes`
})
const worker = startOrderStreams(services)
afterAll(() => worker.stop())

/** Opens a stream over a connection, and collects what it sends. */
async function follow({ token }: Pick<TestMember, 'token'>) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(address, {
    headers: { 'x-app-id': defaultAppId, 'x-access-token': token },
    signal: leaving.signal,
  })
  const stream = { response, text: '', isEnded: false }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) stream.text += decoder.decode(bytes, { stream: true })
    stream.isEnded = true
  }
  void read().catch(() => {})
  if (response.ok) await vi.waitFor(() => expect(stream.text).toContain(': open'))
  return { ...stream, leave: () => leaving.abort(), now: () => stream }
}
const eventOf = (id: string) => `event: order\ndata: ${id}\n\n`
const patience = { timeout: 15_000 }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('names each changed order of the member, and nothing else', async () => {
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const [order, foreign] = [await anOrder(started, member.id), await anOrder(started, other.id)]
  const stream = await follow(member)
  expect(stream.response.headers.get('content-type')).toContain(eventStreamType)
  // Proxies must neither buffer events nor store them.
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  expect(stream.response.headers.get('content-encoding')).toBeNull()
  await updateOrderRow(db, foreign.id, { amount: '2' })
  await updateOrderRow(db, order.id, { amount: '2' })
  await vi.waitFor(() => expect(stream.now().text).toContain(eventOf(order.id)), patience)
  const placed = await anOrder(started, member.id)
  await vi.waitFor(() => expect(stream.now().text).toContain(eventOf(placed.id)), patience)
  await pause(2500)
  const said = stream.now().text.replaceAll(': beat\n\n', '')
  expect(said).toBe(`: open\n\n${eventOf(order.id)}${eventOf(placed.id)}`)
})

test('reports changes after the system clock has been set back', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  const stream = await follow(member)
  // The orders have been read at least once.
  await pause(2500)
  const right = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => right() - HOUR)
  onTestFinished(() => void vi.restoreAllMocks())
  await updateOrderRow(db, id, { amount: '2' })
  await vi.waitFor(() => expect(stream.now().text).toContain(eventOf(id)), patience)
})

test('reports changes on the chain', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  const stream = await follow(member)
  await db
    .insertInto('chain_payment')
    .values({ order_id: id, coin: 'ETH', state: 'seen', received: '1.5' })
    .execute()
  await vi.waitFor(() => expect(stream.now().text).toContain(eventOf(id)), patience)
})

test('ends with the session, and reports no later changes', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  const stream = await follow(member)
  await db.deleteFrom('session').where('member_id', '=', member.id).execute()
  await updateOrderRow(db, id, { amount: '3' })
  await vi.waitFor(() => expect(stream.now().isEnded).toBe(true), patience)
  expect(stream.now().text).not.toContain('event')
})

test('ends when the account is erased or deactivated', async () => {
  const member = await aSignedInMember(started)
  const stream = await follow(member)
  await db.updateTable('member').set({ active: false }).where('id', '=', member.id).execute()
  await vi.waitFor(() => expect(stream.now().isEnded).toBe(true), patience)
})

test('limits the open streams of a member, not counting closed ones', async () => {
  const member = await aSignedInMember(started)
  const streams = []
  for (let n = 0; n < perMemberMax; n += 1) streams.push(await follow(member))
  const refused = await follow(member)
  expect(refused.response.status).toBe(429)
  expect(refused.response.headers.get('retry-after')).toBe('60')
  expect((await follow(await aSignedInMember(started))).response.status).toBe(200)
  streams[0]!.leave()
  await vi.waitFor(async () => expect((await follow(member)).response.status).toBe(200), patience)
})

test('accepts only the token of a session', async () => {
  expect((await call(api.followOrders, {})).status).toBe(401)
  const { token } = await aSignedInMember(started)
  const response = await fetch(`${address}?token=${token}`, { headers: { 'x-app-id': defaultAppId } })
  expect(response.status).toBe(401)
})

test('ends cleanly when the server stops', async () => {
  const stream = await follow(await aSignedInMember(started))
  services.lifecycle.isStopping = true
  onTestFinished(() => void (services.lifecycle.isStopping = false))
  await vi.waitFor(() => expect(stream.now().isEnded).toBe(true), patience)
})
