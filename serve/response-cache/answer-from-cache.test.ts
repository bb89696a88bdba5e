import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forGood, makeCachedBody, sendCached, type CachedBody } from './cached-body.ts'
import { answerFromCache, serverFactory } from './answer-from-cache.ts'
import { makeResponseCache } from './response-cache.ts'

const appId = 'an-app'
const call = { 'x-app-id': appId }

/** A server that counts the requests that reach the framework. */
async function aServer() {
  const app = Fastify({ exposeHeadRoutes: false, serverFactory })
  const responseCache = makeResponseCache()
  const state = { seen: 0, ids: 0, text: 'woven lines '.repeat(100), isOrdinary: false }
  app.addHook('onRequest', async (_request, reply) => {
    state.seen += 1
    void reply.headers({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    void reply.header('x-request-id', `ordinary-${state.seen}`)
  })
  for (const url of ['/page', '/v2/call'])
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        void reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' })
        const cookie = request.headers.cookie
        if (cookie) void reply.header('set-cookie', [`${cookie}; Path=/`, 'second=1'])
        const body = responseCache.get(`${url} ${cookie}`, {
          topics: ['news'],
          client: '',
          bodyOf: (made: CachedBody) => made,
          make: async () => makeCachedBody('text/plain', `${cookie ?? ''} ${state.text}`),
        })
        return sendCached(request, reply, await body.value)
      },
    })
  const missing = forGood(makeCachedBody('text/plain', 'missing'))
  app.get('/missing', (request, reply) => sendCached(request, reply.code(404), missing))
  const observed: { route: string; status: number }[] = []
  app.decorate('observeResponse', ({ route, status }) => void observed.push({ route, status }))
  answerFromCache(app, {
    apiBase: '/v2/',
    appId,
    requestIdOf: () => `fast-${(state.ids += 1)}`,
    isOrdinary: () => state.isOrdinary,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo

  /** Every byte of the response except the time and the request ID. */
  const ask = async (...asked: Parameters<typeof askAll>) =>
    (await askAll(...asked)).replace(/^x-request-id: .*\r\n/im, '')

  async function askAll(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map((pair) =>
      pair.join(': '),
    )
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    await once(socket, 'close')
    return Buffer.concat(parts)
      .toString('latin1')
      .replace(/^date: .*\r\n/im, '')
  }
  /** The response to a second, equal request, and whether it reached the framework. */
  async function again(...asked: Parameters<typeof ask>) {
    const first = await ask(...asked)
    const before = state.seen
    const second = await ask(...asked)
    expect(second).toBe(first)
    return { answer: second, isFast: state.seen === before }
  }
  return { responseCache, state, observed, ask, askAll, again }
}

test.each(['identity', 'gzip', 'br', 'gzip, br;q=0', 'deflate'])(
  'sends a cached answer again byte for byte, in the requested encoding: %s',
  async (accepted) => {
    const { again } = await aServer()
    const { answer, isFast } = await again('/page', { 'accept-encoding': accepted })
    expect(isFast).toBe(true)
    expect(answer).toContain('x-frame-options: DENY')
    expect(answer).toMatch(/^content-length: [1-9]/m)
  },
)

test('so are HEAD requests and 304 responses', async () => {
  const { again, ask } = await aServer()
  const { answer, isFast } = await again('/page', {}, 'HEAD')
  expect([isFast, answer.endsWith('\r\n\r\n')]).toEqual([true, true])
  const etag = /^etag: (.*)\r$/m.exec(answer)![1]!
  const known = await again('/page', { 'if-none-match': etag })
  expect([known.isFast, known.answer.split('\r\n')[0]]).toEqual([true, 'HTTP/1.1 304 Not Modified'])
  expect(await ask('/page', { 'if-none-match': 'W/"other"' })).toContain('200 OK')
})

test('gives each answer its own ID, however it is sent', async () => {
  const { askAll } = await aServer()
  const idsIn = (answer: string) => [...answer.matchAll(/^x-request-id: (.*)\r$/gim)].map(([, id]) => id)
  const first = await askAll('/page')
  expect(idsIn(first)).toEqual(['ordinary-1'])
  expect(idsIn(await askAll('/page'))).toEqual(['fast-1'])
  const etag = /^etag: (.*)\r$/m.exec(first)![1]!
  const known = await askAll('/page', { 'if-none-match': etag })
  expect([known.split('\r\n')[0], idsIn(known)]).toEqual(['HTTP/1.1 304 Not Modified', ['fast-2']])
})

test('each language has its own answer, with its cookies', async () => {
  const { again } = await aServer()
  const english = await again('/page', { cookie: 'language=en' })
  const chinese = await again('/page', { cookie: 'language=cn' })
  expect([english.isFast, chinese.isFast]).toEqual([true, true])
  expect(english.answer).toContain('set-cookie: language=en; Path=/\r\nset-cookie: second=1')
  expect(chinese.answer).toContain('language=cn woven')
})

test('answers calls from memory for clients that name the application, but never for authenticated ones', async () => {
  const { again, ask, state } = await aServer()
  expect((await again('/v2/call', call)).isFast).toBe(true)
  for (const more of [{ 'x-access-token': '' }, { authorization: 'Bearer x' }, { 'x-phone-secret': 'x' }])
    expect((await again('/v2/call', { ...call, ...more })).isFast).toBe(false)
  expect((await again('/v2/call')).isFast).toBe(false)
  expect((await again('/v2/call', { 'x-app-id': 'another' })).isFast).toBe(false)
  const before = state.seen
  await ask('/v2/call', call, 'HEAD')
  expect(state.seen).toBe(before + 1)
})

test('changed content is made again, and the old bytes are released', async () => {
  const { responseCache, state, again, ask } = await aServer()
  expect((await again('/page')).isFast).toBe(true)
  state.text = 'changed'
  responseCache.forget('news')
  expect(await ask('/page')).toContain('changed')
  expect((await again('/page')).answer).toContain('changed')
  responseCache.forget('news')
  expect(responseCache.bytes()).toBe(0)
})

test('a missing page, a request with a body, and requests that hooks must see take the ordinary path', async () => {
  const { state, again } = await aServer()
  expect((await again('/missing')).isFast).toBe(false)
  expect((await again('/page', { 'content-length': '0' })).isFast).toBe(false)
  expect((await again(`/page?${'x'.repeat(600)}`)).isFast).toBe(false)
  state.isOrdinary = true
  expect((await again('/page')).isFast).toBe(false)
})

test('counts answers that bypass the hooks by their route', async () => {
  const { again, observed } = await aServer()
  await again('/page?from=mail')
  expect(observed).toEqual([{ route: '/page', status: 200 }])
})

test("made-up requests use no memory, and other spellings of an address don't bypass the checks of a call", async () => {
  const { again } = await aServer()
  expect((await again('/page', { 'accept-encoding': `gzip, ${'x'.repeat(100)}` })).isFast).toBe(false)
  // The framework decodes `%76` as `v`, which must not bypass the checks of an API request.
  expect((await again('/%762/call', call)).isFast).toBe(false)
  expect((await again('/v2/call', call)).isFast).toBe(true)
})

test('renders a page from the previous day again', async () => {
  const { again, ask, state } = await aServer()
  expect((await again('/page')).isFast).toBe(true)
  const seen = state.seen
  // Midnight at the start of the next day.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(24, 0, 0, 0) })
  onTestFinished(() => void vi.useRealTimers())
  await ask('/page')
  expect(state.seen).toBe(seen + 1)
  expect((await again('/page')).isFast).toBe(true)
})
