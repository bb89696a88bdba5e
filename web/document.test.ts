import { expect, test } from 'vitest'
import { documentHtml, type DocumentParts } from './document.ts'

const parts: DocumentParts = {
  language: 'cn',
  title: 'A "title" & <more>',
  description: 'Described',
  address: 'https://coin.example/cn/news',
  alternates: { en: 'https://coin.example/news', cn: 'https://coin.example/cn/news' },
  picture: null,
  ground: 'dark',
  files: {
    languageCheck: '/l.js',
    entry: '/e.js',
    styles: ['/s.css'],
    modules: ['/m.js'],
    fonts: ['/f.woff2'],
    icon: '/i.svg',
  },
  preloads: [{ href: '/hero.avif', as: 'image', type: 'image/avif' }],
  body: '<p>body</p>',
  data: { text: '</script><!--<script>' },
}

test('what the reader sees first is asked for first, scripts last', () => {
  const html = documentHtml(parts)
  const order = ['/hero.avif', '/l.js', '/s.css', '/e.js', '/m.js', '<p>body</p>'].map((each) =>
    html.indexOf(each),
  )
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
})

test('nothing is inline but data, and data cannot leave its element', () => {
  const html = documentHtml(parts)
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(scripts.filter((each) => !each.includes('src='))).toEqual([
    '<script type="application/json" id="page-data">',
  ])
  const embedded = /id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(JSON.parse(embedded)).toEqual(parts.data)
})

test('the head is escaped and names both languages', () => {
  const html = documentHtml(parts)
  expect(html).toContain('<html lang="zh-Hans">')
  expect(html).toContain('<title>A &quot;title&quot; &amp; &lt;more&gt;</title>')
  for (const lang of ['en', 'zh-Hans', 'x-default']) expect(html).toContain(`hreflang="${lang}"`)
  expect(html).not.toContain('noindex')
})

test('a page that is not public is kept out of search engines', () => {
  const html = documentHtml({ ...parts, alternates: null })
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).not.toContain('canonical')
})
