import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Call } from '#web/kernel/call/call.ts'
import { servePreviews } from './content-preview.ts'
import { respondNotFound } from './error-responses.ts'

const page = (path: string) => ({
  path,
  topic: null,
  query: [],
  isReady: true,
  isPublic: true,
  isListed: true,
})
const served = [
  page('/'),
  page('/cn/'),
  page('/help'),
  page('/cn/help'),
  page('/news/:slug'),
  { ...page('/console'), isPublic: false },
  { path: '/old', redirect: '/help' },
]
const html =
  '<html><link rel="modulepreload" href="/a.js"><script src="/assets/app/a.js" type="module"></script>' +
  '<script type="application/json" id="page-data">{}</script><a class="x" href="/help">Help</a>' +
  '<a href="/assets/pdfs/a.pdf">PDF</a><a href="//else.example">x</a></html>'

async function aSite() {
  const rendered: string[] = []
  const site = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  site.setNotFoundHandler(respondNotFound)
  site.addHook('onRequest', async (_, reply) => void reply.headers({ 'x-frame-options': 'DENY' }))
  const call = (async () => ({})) as unknown as Call
  servePreviews(
    site,
    served,
    async (token) => (token === 'good' ? call : undefined),
    async (path, language) => {
      rendered.push(`${language} ${path}`)
      return path === '/news/gone' ? { status: 404, html: '' } : { status: 200, html }
    },
  )
  await site.ready()
  onTestFinished(() => site.close())
  return { site, rendered }
}

test('shows each public page in its language to anyone with the address', async () => {
  const { site, rendered } = await aSite()
  for (const path of ['', 'cn/', 'cn', 'help', 'cn/help', 'news/a-post'])
    expect((await site.inject(`/content-preview/good/${path}`)).statusCode).toBe(200)
  expect(rendered).toEqual(['en /', 'cn /cn/', 'cn /cn/', 'en /help', 'cn /cn/help', 'en /news/a-post'])
})

test.each(['bad/help', 'good/console', 'good/old', 'good/nothing', 'good/news/gone', 'good/../console'])(
  'serves nothing at %s',
  async (path) => {
    const { site } = await aSite()
    expect((await site.inject(`/content-preview/${path}`)).statusCode).toBe(404)
  },
)

test('cannot be cached, run scripts, or be framed by other sites', async () => {
  const { site } = await aSite()
  const { headers, body } = await site.inject('/content-preview/good/help')
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'SAMEORIGIN',
    'x-robots-tag': 'noindex, nofollow',
  })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).toContain('sandbox allow-same-origin;')
  expect(policy).not.toContain('script-src')
  expect(body).not.toMatch(/modulepreload|<script src/)
  expect(body).toContain('href="/content-preview/good/help"')
  expect(body).toContain('href="/assets/pdfs/a.pdf"')
  expect(body).toContain('href="//else.example"')
})
