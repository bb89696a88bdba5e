import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { OfficialAnswer } from '#contract/publishing/official.ts'
import { mountPages } from './page-routes.ts'
import { makeCachedBody } from './response-cache/cached-body.ts'
import { answerFromCache, serverFactory } from './response-cache/answer-from-cache.ts'
import { errorDelay, servePostedForms } from './posted-forms.ts'

const page = {
  topic: null,
  query: [],
  isReady: true,
  isPublic: true,
  isListed: true,
  acceptsForm: 'official' as const,
}
const served = ['/official', '/cn/official'].map((path) => ({ path, ...page }))
const answer = { verdict: 'unknown', shown: 'x' } as OfficialAnswer
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

async function aSite({ renderTime = 0, isBroken = false } = {}) {
  const lines: string[] = []
  const app = Fastify({
    serverFactory,
    logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } },
  })
  const asked: unknown[] = []
  const words = {
    'official.form.long': 'at most {max}',
    'official.form.empty': 'empty',
    'errors.unavailable': 'later',
  }
  const options = {
    publicUrl: new URL('https://coin.example'),
    clientOf: (ip: string) => ip,
    messagesIn: () => words,
    sendContact: async () => ({ posted: { done: 'sent' as const }, status: 200 }),
    sendReminder: async () => ({ posted: { reminder: { done: 'received' as const } }, status: 200 }),
    checkOfficial: async (text: string, { ip, language }: { ip: string; language: string }) => {
      asked.push({ text, ip, language })
      return text === 'often'
        ? { posted: { problem: 'too often', text }, status: 429, retryAfter: '9' }
        : { posted: { answer }, status: 200 }
    },
  }
  let rendered = 0
  await servePostedForms(app, served, options, async (path, language, posted) => {
    rendered += 1
    const until = performance.now() + renderTime
    while (performance.now() < until);
    const status = isBroken && path === '/cn/official' ? 503 : 200
    return { status, html: JSON.stringify({ path, language, posted }) }
  })
  mountPages(app, served, options, async () => ({ status: 200, body: makeCachedBody('text/html', 'page') }))
  const isOrdinary = () => false
  answerFromCache(app, { apiBase: '/v2/', appId: '', requestIdOf: () => '', isOrdinary })
  onTestFinished(() => app.close())
  const post = (text: string, more: { url?: string; headers?: Record<string, string>; ip?: string } = {}) =>
    app.inject({
      method: 'POST',
      url: more.url ?? '/official',
      headers: { ...formType, ...more.headers },
      payload: new URLSearchParams({ text }).toString(),
      remoteAddress: more.ip ?? '192.0.2.7',
    })
  return { app, asked, lines, post, rendered: () => rendered }
}

test('answers a form without JavaScript with a page that is not cached, and counts it for the client', async () => {
  const { post, asked, lines } = await aSite()
  const said = await post('https://pasted.test/?a=1&b=<2>')
  expect(said.json()).toEqual({ path: '/official', language: 'en', posted: { answer } })
  expect(said.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-type': 'text/html; charset=utf-8',
  })
  expect(said.headers['etag']).toBeUndefined()
  expect((await post('x', { url: '/cn/official' })).json()).toMatchObject({
    path: '/cn/official',
    language: 'cn',
  })
  expect((await post('x', { headers: { cookie: 'language=cn' } })).json()).toMatchObject({ language: 'cn' })
  expect(asked[0]).toEqual({ text: 'https://pasted.test/?a=1&b=<2>', ip: '192.0.2.7', language: 'en' })
  expect(lines.join('')).not.toContain('pasted')
})

test('shows refusals on the page: too long, empty, too often', async () => {
  const { post, asked } = await aSite()
  for (const text of ['a'.repeat(2001), 'a'.repeat(100_000)])
    expect((await post(text)).json()).toMatchObject({ posted: { problem: 'at most 2,000', text: '' } })
  expect((await post('a'.repeat(100_000))).statusCode).toBe(413)
  const empty = await post(' \n ')
  expect(empty.statusCode).toBe(400)
  expect(empty.json()).toMatchObject({ posted: { problem: 'empty' } })
  expect(asked).toEqual([])
  const often = await post('often')
  expect([often.statusCode, often.headers['retry-after']]).toEqual([429, '9'])
  expect(often.json()).toMatchObject({ posted: { problem: 'too often', text: 'often' } })
})

test('has the status of the page if the page could not be rendered as a whole', async () => {
  const { post } = await aSite({ isBroken: true })
  expect((await post('x')).statusCode).toBe(200)
  expect((await post('x', { url: '/cn/official' })).statusCode).toBe(503)
})

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.test' },
])('rejects forms posted by other sites: %o', async (headers) => {
  const { post, asked } = await aSite()
  const said = await post('x', { headers })
  expect([said.statusCode, said.headers['location']]).toEqual([303, '/official'])
  expect(asked).toEqual([])
})

test('rejects other bodies and methods, and ignores the query', async () => {
  const { app, post, asked } = await aSite()
  expect((await post('x', { headers: { 'content-type': 'application/json' } })).statusCode).toBe(415)
  expect((await app.inject({ method: 'PUT', url: '/official' })).headers['allow']).toBe('GET, HEAD, POST')
  const got = await app.inject({ url: '/official?text=x' })
  expect([got.body, asked]).toEqual(['page', []])
})

test.each(['a link', ' ', 'a'.repeat(2001)])(
  'a client that posts in bulk does not delay others: %s',
  async (text) => {
    const renderTime = 20
    const { app, post, asked, rendered } = await aSite({ renderTime })
    const flood = Array.from({ length: 60 }, () => post(text))
    const begun = performance.now()
    const others = await app.inject({ url: '/official' })
    const waited = performance.now() - begun
    expect(others.statusCode).toBe(200)
    const answers = await Promise.all(flood)
    const busy = answers.filter(({ statusCode }) => statusCode === 503)
    expect(busy).toHaveLength(60 - rendered())
    expect(rendered()).toBeLessThan(10)
    // Rejected requests run no query, and a client that keeps sending them is slowed down.
    expect(asked.length).toBeLessThan(10)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(errorDelay - 5)
    expect(Number(busy[0]!.headers['retry-after'])).toBeGreaterThan(0)
    expect(busy[0]!.headers['cache-control']).toBe('no-store')
    // Without the queue it would wait for all sixty.
    expect(waited).toBeLessThan((60 * renderTime) / 3)
    const fromElsewhere = await post('from elsewhere', { ip: '192.0.2.8' })
    expect(fromElsewhere.statusCode).toBe(200)
  },
)
