import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeHttpServer } from '#api/app.ts'
import { openDatabase } from '../db/database.ts'
import { recordRun } from '../jobs/record-run.ts'
import { readTraceParent, withoutValues } from './span.ts'
import { startTracing } from './start-tracing.ts'
import { startApi } from '#tests/setup/start-api.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status?: { code: number }
}
type Message = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Sent[] }[] }[]
}

/** A collector that keeps what it receives. */
async function aCollector(status = 200) {
  const messages: { url: string; headers: Record<string, unknown>; body: Message }[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      messages.push({ url: request.url!, headers: request.headers, body: body as Message })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const spans = () =>
    messages.flatMap(({ body }) => body.resourceSpans.flatMap((each) => each.scopeSpans[0]!.spans))
  return { endpoint, messages, spans }
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const secret = 'somebody@example.org'

async function aTracedServer(endpoint: string, { share = 1 } = {}) {
  const app = makeHttpServer({ trustProxy: 'loopback', logLevel: 'silent' })
  const tracing = { endpoint, headers: { 'x-key': 'of the collector' }, serviceName: 'a site', share }
  const traced = startTracing(app, { tracing, trustProxy: 'loopback' })
  const { services } = await startApi()
  const db = openDatabase(services.config.databaseUrl!, () => {})
  onTestFinished(() => db.destroy())
  app.get('/things/:name', async () => sql`select ${secret}::text, 'literal', 42`.execute(db))
  app.post('/things', async () => sql`select 1`.execute(db))
  app.get('/fails', () => Promise.reject(new Error(secret)))
  return { app, db, traced }
}

test('sends a request and its statements as spans of one trace, without values and addresses', async () => {
  const { endpoint, messages, spans } = await aCollector()
  const { app, db, traced } = await aTracedServer(endpoint)
  const answer = await app.inject({ url: `/things/${secret}`, headers: { traceparent } })
  await app.inject({ method: 'POST', url: '/things', payload: { a: 1 } })
  await app.inject('/fails')
  await recordRun(db, 'trash', () => Promise.resolve())
  await traced.close()
  const [message] = messages
  expect(message).toMatchObject({ url: '/v1/traces', headers: { 'x-key': 'of the collector' } })
  expect(message!.body.resourceSpans[0]!.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'a site' },
  })
  const named = (name: string) => spans().find((span) => span.name === name)!
  const request = named('GET /things/:name')
  const statement = spans().find((span) => span.parentSpanId === request.spanId)!
  expect(request).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
    kind: 2,
  })
  expect(request.attributes).toContainEqual({
    key: 'request.id',
    value: { stringValue: answer.headers['x-request-id'] },
  })
  expect(statement).toMatchObject({ name: 'SELECT', kind: 3, traceId: request.traceId })
  expect(statement.attributes).toContainEqual({
    key: 'db.query.text',
    value: { stringValue: 'select $1::text, ?, ?' },
  })
  expect(BigInt(statement.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano))
  expect(BigInt(statement.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano))
  const posted = named('POST /things')
  expect(spans().some((span) => span.parentSpanId === posted.spanId)).toBe(true)
  expect(named('GET /fails').status).toEqual({ code: 2 })
  expect(named('job trash').kind).toBe(1)
  expect(JSON.stringify(messages)).not.toContain(secret)
})

test('sends only the configured share, and ignores traces from strangers', async () => {
  const { endpoint, spans } = await aCollector()
  const { app, traced } = await aTracedServer(endpoint, { share: 0 })
  await app.inject('/things/x')
  await app.inject({ url: '/things/x', headers: { traceparent }, remoteAddress: '203.0.113.9' })
  await app.inject({ url: '/things/x', headers: { traceparent: traceparent.replace(/01$/, '00') } })
  await app.inject({ url: '/things/x', headers: { traceparent } })
  await traced.close()
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(
    new Set(['4bf92f3577b34da6a3ce929d0e0e4736']),
  )
})

test('a collector that rejects or is away delays no response', async () => {
  for (const endpoint of [(await aCollector(500)).endpoint, 'http://127.0.0.1:9']) {
    const { app, traced } = await aTracedServer(endpoint)
    expect((await app.inject('/things/x')).statusCode).toBe(200)
    await traced.close()
  }
})

test('ignores a malformed header', () => {
  for (const header of [
    undefined,
    '',
    `${traceparent}-more`,
    traceparent.replace('00-', '01-'),
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  ])
    expect(readTraceParent(header)).toBe(undefined)
})

test('removes every value from a statement', () => {
  expect(withoutValues(`select "a1", 'it''s', 12.5 from t2 where x = $1 and y in (3, 4)`)).toBe(
    'select "a1", ?, ? from t2 where x = $1 and y in (?, ?)',
  )
})
