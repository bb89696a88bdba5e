import { expect, test } from 'vitest'
import faq from '#content/facts/faq.json' with { type: 'json' }
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { startWholeSite } from '#tests/setup/start-whole-site.ts'

const pathOf = (q: string, prefix = '') => `${prefix}/search?${new URLSearchParams({ q })}`

async function aSite() {
  const api = await startApi()
  const site = await startWholeSite(api)
  const words = (language: 'en' | 'cn') => api.services.content.allWords(language)
  return { api, site, words }
}

test('shows results without JavaScript, marks the words, and isn’t indexed by search engines', async () => {
  const { api, site } = await aSite()
  const newsroom = await aNewsroom(api)
  const { slug } = await newsroom.create({
    title: 'Aardvark <b>& co.</b>',
    content: '<p>An aardvark ran.</p>',
  })
  const html = await site.get(pathOf('aardvark'))
  expect(html).toMatch(/^200 /)
  expect(html).toContain(`<a href="/news/${slug}"><mark>Aardvark</mark> &lt;b&gt;&amp; co.&lt;/b&gt;</a>`)
  expect(html).toContain('An <mark>aardvark</mark> ran.')
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).toMatch(/<form[^>]* role="search" action="\/search" method="get">/)
  const empty = await site.get('/search')
  expect(empty).toContain('rel="canonical"')
  expect(empty).not.toContain('noindex')
})

test.each(['en', 'cn'] as const)('links directly to a question in %s', async (language) => {
  const { site } = await aSite()
  const { id, [language]: said } = faq.questions[1]!
  const html = await site.get(pathOf(said.question, language === 'cn' ? '/cn' : ''))
  expect(html).toContain(`<a href="/help#${id}"><mark>`)
})

test.each([
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '{count}<query>x</query>',
  '\u202E\u2066 עברית',
  'x'.repeat(5000),
  '…！',
  '',
])('escapes the query %j, and always shows the form and a link to the help page', async (q) => {
  const { site } = await aSite()
  const html = await site.get(pathOf(q))
  expect(html).toMatch(/^200 /)
  const [body = ''] = html.split('<script type="application/json"')
  expect(body).not.toMatch(/<script>alert|<svg onload|<query>/)
  expect(body).toContain('role="search"')
  expect(body).toContain('href="/help"')
})

test('shortens a query that is too long, and says so', async () => {
  const { site, words } = await aSite()
  const said = words('en')['search.cut']!.replace('{max}', '100')
  expect(await site.get(pathOf('word '.repeat(40)))).toContain(said)
  expect(await site.get(pathOf('word '.repeat(19)))).not.toContain(said)
})

test('limits a client to two pages of results at a time without delaying its other pages', async () => {
  const { site } = await aSite()
  const statuses = async (paths: string[]) =>
    (await Promise.all(paths.map((path) => site.get(path)))).map((answer) => answer.slice(0, 3))
  const searches = Array.from({ length: 12 }, (_, n) => pathOf(`word ${n}`))
  const all = await statuses([...searches, '/help', '/project'])
  const results = all.slice(0, 12)
  expect(results.filter((status) => status === '200').length).toBeGreaterThanOrEqual(2)
  expect(results).toContain('503')
  expect(all.slice(12)).toEqual(['200', '200'])
})

test('shows a page with status 404 for an unknown post, with the words of its address in the search field', async () => {
  const { site, words } = await aSite()
  const html = await site.get('/news/node-3-released')
  expect(html).toMatch(/^404 /)
  expect(html).toContain(words('en')['news.missing.heading'])
  expect(html).toMatch(/<input[^>]* type="search"[^>]* value="node 3 released"/)
  expect(html).toContain('noindex')
})
