import { expect, test } from 'vitest'
import { documentHtml, type DocumentParts } from './document.ts'

const parts: DocumentParts = {
  language: 'cn',
  title: 'A "title" & <more>',
  description: 'Described',
  address: 'https://coin.example/cn/news',
  alternates: { en: 'https://coin.example/news', cn: 'https://coin.example/cn/news' },
  picture: { address: 'https://coin.example/p.png', width: 1200, height: 630, alt: 'A "p"' },
  feeds: { title: '新闻', atom: '/cn/news.atom', json: '/cn/news.json' },
  isArticle: false,
  linkedData: { name: '</script><!--<script>' },
  ground: 'dark',
  files: {
    languageCheck: '/l.js',
    entry: '/e.js',
    page: '/m.js',
    styles: ['/s.css'],
    modules: ['/m.js'],
    fonts: ['/f.woff2'],
  },
  preloads: [{ href: '/hero.avif', as: 'image', type: 'image/avif' }],
  body: '<p>body</p>',
  data: { text: '</script><!--<script>' },
}

test('requests what the reader sees first before scripts', () => {
  const html = documentHtml(parts)
  const order = ['/hero.avif', '/l.js', '/s.css', '/e.js', '/m.js', '<p>body</p>'].map((each) =>
    html.indexOf(each),
  )
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
})

test("inlines nothing but data, and data can't escape its element", () => {
  const html = documentHtml(parts)
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(scripts.filter((each) => !each.includes('src='))).toEqual([
    '<script type="application/json" id="page-data">',
    '<script type="application/ld+json">',
  ])
  const embedded = [...html.matchAll(/<script type="application\/[a-z+]*json"[^>]*>(.*?)<\/script>/gs)].map(
    (found) => JSON.parse(found[1]!),
  )
  expect(embedded).toEqual([parts.data, parts.linkedData])
})

test('escapes the head, which names both languages', () => {
  const html = documentHtml(parts)
  expect(html).toContain('<html lang="zh-Hans">')
  expect(html).toContain('<title>A &quot;title&quot; &amp; &lt;more&gt;</title>')
  for (const lang of ['en', 'zh-Hans', 'x-default']) expect(html).toContain(`hreflang="${lang}"`)
  expect(html).not.toContain('noindex')
})

test('keeps a private page out of search engines', () => {
  const html = documentHtml({ ...parts, alternates: null })
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).not.toContain('canonical')
})

test('a shared page has its picture, with size and description', () => {
  const html = documentHtml(parts)
  for (const each of [
    'property="og:image" content="https://coin.example/p.png"',
    'property="og:image:alt" content="A &quot;p&quot;"',
    'property="og:image:width" content="1200"',
    'property="og:image:height" content="630"',
    'name="twitter:image" content="https://coin.example/p.png"',
    'name="twitter:card" content="summary_large_image"',
  ])
    expect(html).toContain(`<meta ${each}>`)
  expect(documentHtml({ ...parts, picture: null })).not.toMatch(/og:image|twitter:/)
})

test('announces the icons, and the manifest in the language of the page', () => {
  const html = documentHtml(parts)
  for (const href of ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/cn/manifest.webmanifest'])
    expect(html).toContain(`href="${href}"`)
})
