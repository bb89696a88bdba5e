import { expect, onTestFinished, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { titleLengthMax } from '#contract/publishing/announcements.ts'
import { readConfig } from '../../platform/config/config.ts'
import { allMailKinds, setPostalAddress, renderMail } from '../../platform/mail/render-mail.ts'
import { renderTemplate } from '../../platform/mail/console/mail-templates.ts'
import type { MailedPost } from './issue.queries.ts'
import { digestMax } from './digest.queries.ts'
import { introducedPosts, richOfDigest, richOfPost, valuesOfPost } from './write-news.ts'

const config = readConfig({ NODE_ENV: 'development', PUBLIC_URL: 'https://coin.example' })
const picture = `/assets/media/news/${'a'.repeat(32)}-800.webp`
const content = [
  '<h2 class="ql-align-center">What changed</h2>',
  '<p>Read <a href="/news/other" rel="x" target="_blank">the other post</a> &amp; <strong>update</strong>.</p>',
  '<ul><li><p>First</p></li><li><p>Second</p><ol><li><p>Deep</p></li></ol></li></ul>',
  '<blockquote><p>Said once.</p><p>Said twice.</p></blockquote>',
  `<p><img src="${picture}" srcset="${picture} 800w" sizes="100vw" alt="A chart &quot;up&quot;" loading="lazy" /></p>`,
  '<p><img src="https://a.example/b.png" alt="Elsewhere" loading="lazy" /></p>',
  '<iframe src="https://www.youtube-nocookie.com/embed/aB-3_x01234" title="Our clip"></iframe>',
  '<p>Line one<br />line two &lt;b&gt;</p>',
].join('')

const aPost = (language: 'en' | 'cn', more: Partial<MailedPost> = {}) =>
  ({
    title: 'Node 3 <now>',
    slug: 'node-3',
    language,
    category: 'News',
    content_summary: content,
    posted_at: new Date('2036-05-01T10:00:00Z'),
    key_id: '0123456789abcdef',
    is_cut: true,
    ...more,
  }) as MailedPost

const manage = `https://coin.example/newsletter/manage#${'t'.repeat(60)}`
const mailOf = (language: 'en' | 'cn', look: 'mail' | 'frame' = 'mail', post = aPost(language)) =>
  renderMail('news-post', language, valuesOfPost({ config }, post, manage), {
    look,
    rich: richOfPost({ config }, post),
  })

test('an email of a post keeps headings, lists, links, quotations, and pictures of the site', () => {
  const { html } = mailOf('en')
  expect(html).toMatch(/<h1[^>]+>Node 3 &lt;now&gt;<\/h1>/)
  expect(html).toMatch(/<h2[^>]+>What changed<\/h2>/)
  expect(html).toMatch(/<ul[^>]+><li[^>]+><p[^>]+>First<\/p><\/li>/)
  expect(html).toMatch(/<ol[^>]+><li/)
  expect(html).toMatch(/<blockquote[^>]+><p[^>]+>Said once\.<\/p>/)
  expect(html).toMatch(/<a href="https:\/\/coin\.example\/news\/other"[^>]+>the other post<\/a> &amp;/)
  expect(html).toContain(`<img src="https://coin.example${picture}" alt="A chart &quot;up&quot;"`)
  expect(html).not.toMatch(/ql-|srcset|loading|<iframe|target=/)
})

test('content on other hosts becomes a link: reading an email loads nothing from them', () => {
  const { html } = mailOf('en')
  expect([...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => new URL(src!).host)).toEqual([
    '',
    'coin.example',
  ])
  expect(html).toMatch(/<a href="https:\/\/a\.example\/b\.png"[^>]*>Elsewhere<\/a>/)
  expect(html).toMatch(/<a href="https:\/\/www\.youtube\.com\/watch\?v=aB-3_x01234"[^>]*>Our clip<\/a>/)
})

test('its plain text has the same structure', () => {
  expect(mailOf('en').text).toContain(
    [
      'What changed',
      'Read the other post (https://coin.example/news/other) & update.',
      '- First\n- Second\n  1. Deep',
      '> Said once.\n>\n> Said twice.',
      `[A chart "up"] https://coin.example${picture}`,
      '[Elsewhere] https://a.example/b.png',
      '[Our clip] https://www.youtube.com/watch?v=aB-3_x01234',
      'Line one\nline two <b>',
      '…',
    ].join('\n\n'),
  )
})

test.each(['en', 'cn'] as const)(
  'its footer says that the reader subscribed, and has a postal address: %s',
  (language) => {
    const { html, text } = mailOf(language)
    for (const part of [html, text]) {
      for (const line of brand.address[language]) expect(part).toContain(line)
      expect(part).not.toMatch(/is used at|使用了此邮箱/)
      expect(part).toMatch(/is subscribed to news from|订阅了/)
    }
  },
)

test('a changed postal address applies at once; without one there is no empty line', () => {
  onTestFinished(() => setPostalAddress(brand.address))
  setPostalAddress({ en: ['2 New Road', 'Newtown'], cn: [] })
  expect(mailOf('en').text).toContain('2 New Road, Newtown')
  expect(mailOf('cn').text.trimEnd()).toBe(mailOf('cn').text)
})

test('emails to people without an account do not claim that their address is used here', () => {
  const strangers = allMailKinds.filter((kind) =>
    /^news|^activation$|^ambassador-(?!profile|hidden|shown|ended)/.test(kind),
  )
  expect(strangers.length).toBeGreaterThan(8)
  for (const kind of strangers) {
    expect(renderTemplate(kind, 'en', 'sample').text).not.toContain('this email address is used at')
  }
})

test('the HTML contains no long visible address, and the text contains every one', () => {
  const { html, text } = mailOf('en')
  const shown = html.replaceAll(/<style[^]*?<\/style>|<[^>]+>/g, ' ')
  expect(shown).not.toMatch(/https?:\/\//)
  expect(html).toContain(`href="${manage}"`)
  expect(text).toContain(manage)
})

test('the console’s frame loads and follows nothing', () => {
  const { html } = mailOf('en', 'frame')
  expect(html).toContain('<h2>What changed</h2>')
  expect(html).not.toMatch(/<img|<a |style=|src=/)
})

const path = `/assets/media/news/${'a'.repeat(32)}-mail.jpg`

function digestOf(posts: readonly MailedPost[]) {
  const pictures = new Map(posts.map(({ id }) => [id, { path, alt: 'A "chart"' }]))
  const rich = { posts: richOfDigest({ config }, { posts, pictures }, 'cn') }
  const values = { date: '2036', posts: rich.posts.text, link: manage, guide: manage, manageLink: manage }
  return renderMail('news-digest', 'cn', values, { rich })
}

test('a digest shows a post’s picture, and its beginning without markup', () => {
  const post = aPost('cn', { content_summary: `<h2>Left out</h2><p>A &lt;b&gt; ${'x'.repeat(400)}</p>` })
  const { html, text } = digestOf([post])
  expect(html).toContain(`<img src="https://coin.example${path}" alt="A &quot;chart&quot;" width="518"`)
  expect(html).toContain(`>A &lt;b&gt; ${'x'.repeat(174)}…</p>`)
  expect(text).toContain(`\nA <b> ${'x'.repeat(174)}…\nhttps://coin.example/cn/news/node-3`)
})

test('the longest digest is smaller than the size at which Gmail cuts off emails', () => {
  const posts = Array.from({ length: digestMax }, (_, n) =>
    aPost('cn', {
      id: `${n}`,
      title: '长'.repeat(titleLengthMax),
      content_summary: `<p>${'长'.repeat(1500)}</p>`,
    }),
  )
  const { html } = digestOf(posts)
  expect(html.split('<img')).toHaveLength(2 + introducedPosts)
  expect(Buffer.byteLength(html)).toBeLessThan(100_000)
})
