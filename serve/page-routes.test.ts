import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { served } from '#web/entry.server.tsx'
import { makeCachedBody } from './response-cache/cached-body.ts'
import { mountPages } from './page-routes.ts'
import { redirectWithin } from './redirect.ts'
import { respondNotFound } from './error-responses.ts'

const page = { topic: null, query: [], isReady: true, isPublic: true, isListed: true }

function site(publicUrl = 'http://localhost') {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  mountPages(
    app,
    [
      { path: '/news', ...page },
      { path: '/cn/news', ...page },
      { path: '/', ...page },
      { path: '/cn/', ...page },
      { path: '/login', redirect: '/login/signin' },
    ],
    { publicUrl: new URL(publicUrl), clientOf: (ip) => ip },
    async (_place, language) => ({ status: 200, body: makeCachedBody('text/html', `page in ${language}`) }),
  )
  app.setNotFoundHandler(respondNotFound)
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers })
}

test('sends a page with its own not-found text as 404; without one, redirects home with a notice', async () => {
  const app = Fastify()
  const bodies: Record<string, string> = { '/ambassadors/nobody': 'no such ambassador', '/news/gone': '' }
  const paths = ['/ambassadors/:slug', '/news/:slug'].map((path) => ({ ...page, path }))
  mountPages(
    app,
    paths,
    { publicUrl: new URL('http://localhost'), clientOf: (ip) => ip },
    async ({ path }) => ({
      status: 404,
      body: makeCachedBody('text/html', bodies[path]!),
    }),
  )
  app.setNotFoundHandler(respondNotFound)
  const ask = (url: string) => app.inject({ url, headers: { accept: 'text/html' } })
  const said = await ask('/ambassadors/nobody')
  expect([said.statusCode, said.body, said.headers['retry-after']]).toEqual([
    404,
    'no such ambassador',
    undefined,
  ])
  expect((await ask('/news/gone')).statusCode).toBe(302)
})

test('tells known pages from addresses that may not exist', async () => {
  const app = Fastify()
  const asked: unknown[] = []
  const paths = [
    { ...page, path: '/news/:slug' },
    { ...page, path: '/news' },
    { ...page, path: '/orders/:id', isReady: false },
  ]
  mountPages(app, paths, { publicUrl: new URL('http://localhost'), clientOf: (ip) => ip }, async (place) => {
    asked.push(place)
    return { status: 200, body: makeCachedBody('text/html', '') }
  })
  for (const url of ['/news/one', '/news', '/orders/1']) await app.inject({ url })
  expect(asked).toEqual([
    { path: '/news/one', topic: null, isOpen: true },
    { path: '/news', topic: null, isOpen: false },
    { path: '/orders/:id', topic: null, isOpen: false },
  ])
})

test('the address of a page with an emailed code is never sent as a referrer, not even for its own pictures', async () => {
  const app = Fastify()
  // Like the headers that `pages.ts` sets for every answer.
  app.addHook('onRequest', async (_request, reply) => void reply.header('referrer-policy', 'origin'))
  const paths = [
    { ...page, path: '/news/:slug' },
    { ...page, path: '/status/:code', isReady: false },
    ...served.filter(({ path }) =>
      ['/sale', '/sale/reminder', '/cn/sale/reminder', '/contact'].includes(path),
    ),
  ]
  mountPages(app, paths, { publicUrl: new URL('http://localhost'), clientOf: (ip) => ip }, async () => ({
    status: 200,
    body: makeCachedBody('text/html', 'page'),
  }))
  const policyOf = async (url: string) => (await app.inject({ url })).headers['referrer-policy']
  expect(await policyOf('/news/one')).toBe('origin')
  expect(await policyOf('/sale')).toBe('origin')
  for (const url of [
    '/status/one',
    '/sale/reminder?code=one',
    '/cn/sale/reminder?cancel=one',
    '/contact?code=one',
  ])
    expect([url, await policyOf(url)]).toEqual([url, 'no-referrer'])
})

test.each([
  [undefined, 'en'],
  ['language=cn', 'cn'],
  ['a=b; language=cn; c=d', 'cn'],
  ['xlanguage=cn', 'en'],
  ['language=fr', 'en'],
])('with the cookies %o the page is in %s', async (cookie, language) => {
  const answer = await site()('/news', cookie ? { cookie } : {})
  expect(answer.body).toBe(`page in ${language}`)
  expect(answer.headers.vary).toBe('Cookie, Accept-Encoding')
  expect(answer.headers['cache-control']).toBe('no-cache')
})

test('a Chinese address is Chinese whatever the cookie says, and does not change the choice', async () => {
  const answer = await site()('/cn/news', { cookie: 'language=en' })
  expect(answer.body).toBe('page in cn')
  expect(answer.headers['set-cookie']).toContain('language=en;')
  expect((await site()('/cn/news')).headers['set-cookie']).toContain('language=cn;')
})

test('renews the cookie for a year, and sets none if nothing was chosen', async () => {
  const chosen = await site('https://coin.example')('/news', { cookie: 'language=cn' })
  expect(chosen.headers['set-cookie']).toBe('language=cn; Path=/; Max-Age=31536000; SameSite=Lax; Secure')
  expect((await site()('/news')).headers['set-cookie']).toBeUndefined()
})

test('without JavaScript, choosing a language by address returns to the same page', async () => {
  const answer = await site()('/cn/news?language=en&page=2')
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/news?page=2')
  expect(answer.headers['set-cookie']).toContain('language=en;')
})

test('the return address never leads to another host', async () => {
  const ask = site()
  for (const url of ['//?language=cn', '/cn//?language=cn', '//evil.example/news?language=cn']) {
    const { headers } = await ask(url, { accept: 'text/html' })
    expect(headers.location ?? '/').toMatch(/^\/(?![/\\])/)
  }
})

test('a moved page redirects permanently, with the query', async () => {
  const app = Fastify()
  const body = makeCachedBody('text/html', '')
  mountPages(
    app,
    [{ path: '/news/:slug', ...page }],
    { publicUrl: new URL('http://localhost'), clientOf: (ip) => ip },
    async () => ({
      status: 301,
      body,
      location: '/news/now',
    }),
  )
  const answer = await app.inject({ method: 'GET', url: '/news/before?from=mail' })
  expect(answer.statusCode).toBe(301)
  expect(answer.headers).toMatchObject({
    location: '/news/now?from=mail',
    'cache-control': 'no-cache',
    vary: 'Cookie',
  })
})

test.each([
  [undefined, '5'],
  [42, '42'],
])("a page that can't be rendered now says when to retry: %s", async (retryAfterSeconds, header) => {
  const app = Fastify()
  const body = makeCachedBody('text/html', '')
  const options = { publicUrl: new URL('http://localhost'), clientOf: (ip: string) => ip }
  mountPages(app, [{ path: '/news', ...page }], options, async () =>
    retryAfterSeconds ? { status: 503, body, retryAfterSeconds } : { status: 503, body },
  )
  expect((await app.inject('/news')).headers['retry-after']).toBe(header)
})

test('redirects password managers to the page on which members change their password', async () => {
  const app = Fastify()
  const options = { publicUrl: new URL('http://localhost'), clientOf: (ip: string) => ip }
  mountPages(app, served, options, () => Promise.reject(new Error('only a redirect is asked for')))
  const answer = await app.inject('/.well-known/change-password')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/account/security#change-password'])
})

test('a redirecting address keeps its query', async () => {
  const answer = await site()('/login?from=mail')
  expect(answer.statusCode).toBe(302)
  expect(answer.headers.location).toBe('/login/signin?from=mail')
})

test.each([
  ['/nothing', '/?notice=not-found'],
  ['/cn/nothing', '/cn/?notice=not-found'],
  ['//evil.example/', '/?notice=not-found'],
])('redirects people from %s to %s', async (url, location) => {
  const answer = await site()(url, { accept: 'text/html,*/*' })
  expect(answer.statusCode).toBe(302)
  expect(answer.headers.location).toBe(location)
  expect(answer.headers['x-robots-tag']).toBe('noindex')
})

test.each([
  ['/nothing', '*/*', 'GET'],
  ['/nothing', 'text/html', 'POST'],
  ['/assets/pdfs/nothing.pdf', 'text/html', 'GET'],
  ['/data/nothing.json', 'text/html', 'GET'],
  ['/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200', 'text/html', 'GET'],
] as const)('%s for %s by %s gets a real 404', async (url, accept, method) => {
  expect((await site()(url, { accept }, method)).statusCode).toBe(404)
})

test.each([
  '/cn//evil.example/?language=en',
  '/cn/\\evil.example?language=en',
  '/cn/%5cevil.example?language=en',
])('an address that browsers could read as another host leads home or nowhere: %s', async (url) => {
  const { location } = (await site()(url, { accept: 'text/html' })).headers
  expect(location === undefined || /^\/($|[^/\\])/.test(location)).toBe(true)
})

test.each([
  ['/news?page=2', '/news?page=2'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['\\\\evil.example', '/'],
  ['http://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['http://[', '/'],
])('redirects %j to %s', async (address, to) => {
  const app = Fastify()
  app.get('/', (_request, reply) => redirectWithin(reply, address, 302))
  expect((await app.inject('/')).headers.location).toBe(to)
})

test('pages accept only GET and HEAD', async () => {
  const answer = await site()('/news', {}, 'POST')
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
})
