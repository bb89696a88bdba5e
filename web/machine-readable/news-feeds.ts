import { name } from '#content/brand.json'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Call } from '../kernel/call/call.ts'
import { messagesFrom } from '../kernel/content/messages-from.ts'
import { htmlLanguage, inEachLanguage } from '../kernel/i18n/language.ts'
import type { MessageKey } from '../kernel/i18n/message-key.ts'
import { interpolate } from '../kernel/i18n/interpolate.ts'
import { pathIn } from '../kernel/routes/routes.ts'
import { ownHostOnly, type Elsewhere } from '../announcements/own-host-only.ts'
import { changedAt } from './news-articles.ts'

/** Paths of each language's feeds. */
export const feedPath = { atom: inEachLanguage('/news.atom'), json: inEachLanguage('/news.json') }

/** The latest announcements of a language, newest first. */
type Feed = { call: Call; language: Language; origin: string; posts: readonly Announcement[] }

/** https://datatracker.ietf.org/doc/html/rfc4287 */
export async function atomFeed({ call, language, origin, posts }: Feed): Promise<string> {
  const { title, description, readable } = await messagesFor(call, language, origin)
  const page = origin + pathIn(language, 'news')
  const updated = posts.map(changedAt).sort().at(-1) ?? new Date(0).toISOString()
  const entries = posts.map((post) => {
    const address = addressOf(origin, post)
    return [
      `<entry><id>${escape(address)}</id><title>${escape(post.title)}</title>`,
      `<link rel="alternate" type="text/html" href="${escape(address)}"/>`,
      `<published>${post.postedDate}</published><updated>${changedAt(post)}</updated>`,
      `<category term="${escape(post.category)}"/>`,
      `<content type="html">${escape(readable(post.content))}</content></entry>`,
    ].join('')
  })
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${htmlLanguage[language]}">`,
    `<id>${escape(page)}</id><title>${escape(title)}</title><subtitle>${escape(description)}</subtitle>`,
    `<updated>${updated}</updated><author><name>${escape(name)}</name></author>`,
    `<link rel="alternate" type="text/html" href="${escape(page)}"/>`,
    `<link rel="self" type="application/atom+xml" href="${escape(origin + feedPath.atom[language])}"/>`,
    ...entries,
    '</feed>\n',
  ].join('')
}

/** https://www.jsonfeed.org/version/1.1/ */
export async function jsonFeed({ call, language, origin, posts }: Feed): Promise<string> {
  const { title, description, readable } = await messagesFor(call, language, origin)
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    language: htmlLanguage[language],
    home_page_url: origin + pathIn(language, 'news'),
    feed_url: origin + feedPath.json[language],
    icon: `${origin}/assets/icons/icon-512.png`,
    authors: [{ name, url: `${origin}/` }],
    items: posts.map((post) => ({
      id: addressOf(origin, post),
      url: addressOf(origin, post),
      title: post.title,
      content_html: readable(post.content),
      date_published: post.postedDate,
      date_modified: changedAt(post),
      tags: [post.category],
      language: htmlLanguage[post.language],
    })),
  })
}

async function messagesFor(call: Call, language: Language, origin: string) {
  const words = await messagesFrom(call, language, ['meta', 'news'])
  const say = (key: MessageKey, values = {}) => interpolate(words[key] ?? '', language, values)
  const link =
    (label: (title: string) => string): Elsewhere['film'] =>
    ({ address, title }, isInLink) =>
      isInLink ? label(title) : `<a href="${address}">${label(title || address)}</a>`
  // Feed readers do not apply our policy, so embedded content would be loaded from other hosts.
  const elsewhere: Elsewhere = {
    film: link((title) => (title ? say('news.film.play', { title }) : say('news.film.playUntitled'))),
    picture: link((title) => say('news.picture.elsewhere', { title })),
  }
  return {
    title: say('meta.news.title'),
    description: say('meta.news.description'),
    readable: (html: string) => absolute(ownHostOnly(html, elsewhere), origin),
  }
}

const addressOf = (origin: string, { language, slug }: Announcement): string =>
  origin + pathIn(language, 'newsPost', { slug })

/** Feed readers cannot resolve relative URLs, so they are made absolute. */
const absolute = (html: string, origin: string): string =>
  html.replaceAll(/(\s(?:src|href)=")(\/(?!\/))/g, `$1${origin}$2`)

/** Control characters are invalid in XML, even if they are escaped. */
const escape = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- exactly these characters are removed
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
