import { expect, test } from 'vitest'
import { sanitize } from '#api/publishing/announcements/sanitize.ts'
import { isCleanHtml } from '../kernel/ui/clean-html.ts'
import { ownHostOnly, type Elsewhere } from './own-host-only.ts'

const id = 'aB3_-xYz019'
const words: Elsewhere = {
  film: ({ address, title }, isInLink) => (isInLink ? `[${title}]` : `<a href="${address}">${title}</a>`),
  picture: ({ address, title }, isInLink) => (isInLink ? `[${title}]` : `<a href="${address}">${title}</a>`),
}
const read = (html: string) => ownHostOnly(html, words)

test.each([
  [
    'a YouTube player',
    `<p>a</p><iframe src="https://www.youtube-nocookie.com/embed/${id}" title="A &quot;film&quot;"></iframe><p>b</p>`,
    `<p>a</p><a href="https://www.youtube.com/watch?v=${id}">A &quot;film&quot;</a><p>b</p>`,
  ],
  [
    'a player within a list and within bold text',
    `<ul><li><strong><iframe title="x" src="https://www.youtube-nocookie.com/embed/${id}" loading="lazy"></iframe></strong></li></ul>`,
    `<ul><li><strong><a href="https://www.youtube.com/watch?v=${id}">x</a></strong></li></ul>`,
  ],
  [
    'a film file elsewhere',
    '<video src="https://video.example/a.mp4" controls title="A film"></video>',
    '<a href="https://video.example/a.mp4">A film</a>',
  ],
  [
    'a picture elsewhere',
    '<p><img src="https://a.example/a.png?a=1&amp;b=2" alt="A chart" loading="lazy" /></p>',
    '<p><a href="https://a.example/a.png?a=1&amp;b=2">A chart</a></p>',
  ],
  [
    'a picture elsewhere that is a link already',
    '<a href="https://b.example/"><strong><img src="https://a.example/a.png" alt="A chart" /></strong></a><img src="https://a.example/a.png" alt="Two" />',
    '<a href="https://b.example/"><strong>[A chart]</strong></a><a href="https://a.example/a.png">Two</a>',
  ],
])('%s becomes a link', (_, html, shown) => {
  expect(read(html)).toBe(shown)
})

test.each([
  ['a picture of this site', '<p><img src="/assets/media/news/a.webp" alt="x" /></p>'],
  ['a film of this site', '<video src="/assets/films/a.mp4" controls="" preload="metadata"></video>'],
  ['a text about elements', '<p>&lt;iframe src="https://a.example/"&gt;</p>'],
])('%s is kept', (_, html) => {
  expect(read(html)).toBe(html)
})

test.each([
  '<img src="//evil.example/a.png">',
  '<img src="https:evil.example/a.png">',
  '<img src="/\\evil.example/a.png">',
  '<img src="\thttps://evil.example/a.png">',
  '<video src="//evil.example/a.mp4"></video>',
  '<img src="/assets/x.png" srcset="https://evil.example/a.png 2x">',
  '<video src="/a.mp4" poster="https://evil.example/a.png"></video>',
  '<video><source src="https://evil.example/a.mp4"></video>',
  '<p style="background:url(https://evil.example/a.png)">x</p>',
  `<iframe src="https://www.youtube.com/embed/${id}"></iframe>`,
  `<iframe src="https://www.youtube-nocookie.com/embed/${id}?autoplay=1">&lt;</iframe>`,
  '<iframe src="https://evil.example/"></iframe>',
  '<IMG SRC=https://evil.example/a.png>',
])('nothing in %s is loaded', (html) => {
  const shown = read(sanitize(html))
  expect(isCleanHtml(shown)).toBe(true)
  expect(shown).not.toMatch(/<iframe|\s(src|srcset|poster|style)=(?!"\/\w)/i)
})
