import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContentFiles } from '#api/platform/site-content/content-files.ts'
import { checkContent } from '#api/publishing/content/rules/check-content.ts'
import { type GivenContent, readGiven } from '#api/publishing/content/rules/read-given.ts'
import { problemMessage } from '#api/publishing/content/rules/say-problem.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { completeLanguages, type Language } from '#contract/platform/languages.ts'
import { answeringOne } from '#tests/setup/one-announcement.ts'
import { answering } from '#tests/setup/site-content.ts'
import { render } from '#web/entry.server.tsx'

/* The numbers in the specification are those of the sample (`sample-brand.test.ts`). A project with its own content
   has other teams, networks, and documents, or none. None of these wishes may cause an error, and the pages must
   show them. */

const { given } = readGiven(join(import.meta.dirname, '../../content'))
const files = readContentFiles()

// oxlint-disable-next-line typescript/no-explicit-any -- content files, changed as a person would by hand
type Json = any
type Files = Record<string, Json>

const words = (parts: object, chinese: object = {}) => ({ en: parts, cn: { ...parts, ...chinese } })
const person = (id: string, more: object = {}) => ({
  id,
  ...words({ name: 'Ada Example', title: 'Keeper', skills: [] }, { title: '守护' }),
  ...more,
})
const milestone = (at: number, date = `20${30 + at}-01`) => ({
  id: `step-${at}`,
  date,
  state: 'next',
  ...words({ title: `Step ${at}`, text: 'It is done.' }, { text: '完成。' }),
})
const pdf = (base: string, title: string) => ({
  file: `${base}-en.pdf`,
  base,
  language: 'en',
  title,
  version: '1.0',
  date: '2026-11',
  pages: 3,
  bytes: 3000,
  sha256: '0'.repeat(64),
})

type Wish = {
  wish: string
  change: (files: Files) => void
  page?: string
  shows?: string[]
  hides?: string[]
}

/** Variations of another project's content, with what the pages then show. */
const wishes: Wish[] = [
  {
    wish: 'nine milestones',
    change: (f) => (f['facts/roadmap.json'] = Array.from({ length: 9 }, (_, at) => milestone(at))),
    shows: ['Step 0', 'Step 8'],
  },
  {
    wish: 'milestones of quarters and years',
    change: (f) =>
      (f['facts/roadmap.json'] = [milestone(1, '2030-Q2'), milestone(2, '2030-05'), milestone(3, '2031')]),
    shows: ['2030', '2031', 'dateTime="2030"'],
    hides: ['Invalid Date'],
  },
  {
    wish: 'forty milestones',
    change: (f) => (f['facts/roadmap.json'] = Array.from({ length: 40 }, (_, at) => milestone(at))),
    shows: ['Step 39'],
  },
  { wish: 'no road map', change: (f) => (f['facts/roadmap.json'] = []), hides: ['id="roadmap"'] },
  {
    wish: 'other teams in one group',
    change: (f) =>
      (f['facts/team.json'] = [
        { id: 'guild', ...words({ title: 'The guild' }, { title: '行会' }), members: [person('ada')] },
      ]),
    shows: ['Ada Example'],
    hides: ['id="advisory-board"'],
  },
  {
    wish: 'a person with profiles elsewhere than on LinkedIn',
    change: (f) =>
      (f['facts/team.json'] = [
        {
          id: 'guild',
          ...words({ title: 'The guild' }, { title: '行会' }),
          members: [
            person('ada', { links: { github: 'https://github.example/a', mastodon: 'https://m.example/a' } }),
          ],
        },
      ]),
    shows: ['https://github.example/a', 'Mastodon'],
  },
  { wish: 'nobody of the team shown', change: (f) => (f['facts/team.json'] = []), hides: ['id="team"'] },
  {
    wish: 'no special ambassador, from other countries',
    page: '/ambassador-program',
    change: (f) =>
      (f['facts/ambassadors.json'] = [
        {
          id: 'ada',
          ...words({ name: 'Ada Example', location: 'Nuuk, Greenland' }, { location: '格陵兰努克' }),
        },
      ]),
    shows: ['Ada Example'],
  },
  {
    wish: 'two special ambassadors',
    page: '/ambassador-program',
    change: (f) =>
      (f['facts/ambassadors.json'] = ['ada', 'bo'].map((id) => ({
        id,
        special: true,
        ...words({ name: `Ambassador ${id}`, location: 'Quito' }, { location: '基多' }),
      }))),
    shows: ['Ambassador ada', 'Ambassador bo'],
  },
  {
    wish: 'Discord and a network that nobody draws',
    change: (f) =>
      (f['brand.json'].social = { discord: 'https://discord.example/a', nostr: 'https://nostr.example/a' }),
    shows: ['Discord', 'https://discord.example/a', 'Nostr'],
    hides: ['https://x.', 'Weibo', '微博'],
  },
  {
    wish: 'one social link',
    change: (f) => (f['brand.json'].social = { github: 'https://github.example/a' }),
    shows: ['https://github.example/a'],
  },
  {
    wish: 'no social links',
    change: (f) => (f['brand.json'].social = {}),
    hides: ['<aside', 'id="footer-follow"'],
  },
  {
    wish: 'no wallet for one system',
    change: (f) => delete f['brand.json'].links.wallet.ios,
    shows: ['id="wallet"'],
    hides: ['/ios"', 'href="undefined"'],
  },
  {
    wish: 'no wallet of its own',
    change: (f) => {
      f['brand.json'].links.wallet = {}
      delete f['brand.json'].links.downloads
    },
    hides: ['id="wallet"', 'href="#wallet"'],
  },
  {
    wish: 'no newsletter, blog, phone or street',
    change: (f) => {
      for (const name of ['newsletter', 'blog']) delete f['brand.json'].links[name]
      delete f['brand.json'].phone
      f['brand.json'].address = { en: [], cn: [] }
    },
    hides: ['href="tel:', '<address', 'href="undefined"', 'undefined'],
  },
  {
    wish: 'no explorer, exchange or mining page',
    page: '/project',
    change: (f) => {
      for (const name of ['explorer', 'testExplorer', 'exchange', 'mining'])
        delete f['brand.json'].links[name]
    },
    shows: ['id="wallet"'],
    hides: ['undefined'],
  },
  {
    wish: 'other documents, of which one is in English only',
    page: '/project',
    change: (f) => {
      f['brand.json'].documents = { others: ['audit-report'] }
      f['media/pdfs/documents.json'] = [pdf('audit-report', 'Report of the audit')]
    },
    shows: ['Report of the audit', '/assets/pdfs/audit-report-en.pdf'],
    hides: ['white-paper'],
  },
  {
    wish: 'no documents at all',
    page: '/project',
    change: (f) => {
      f['brand.json'].documents = {}
      f['media/pdfs/documents.json'] = []
    },
    hides: ['.pdf'],
  },
  {
    wish: 'no manuals, and questions without a brochure',
    page: '/help',
    change: (f) => {
      f['facts/manuals.json'] = []
      f['brand.json'].documents = {}
      f['facts/technical-help.json'] = []
      f['facts/faq.json'].questions = f['facts/faq.json'].questions.slice(0, 2)
      for (const language of completeLanguages) delete f['facts/faq.json'].main[language].brochureLabel
    },
    hides: ['id="manuals"', 'href="#manuals"', 'id="technical"', '.pdf'],
  },
  {
    wish: 'no e-book',
    page: '/ambassador-program',
    change: (f) => delete f['brand.json'].documents.ambassadorEbook,
    hides: ['.pdf'],
  },
  { wish: 'no film', change: (f) => (f['facts/films.json'] = []), hides: ['/assets/films/', 'id="films"'] },
  {
    wish: 'no film of ambassadors',
    page: '/ambassador-program',
    change: (f) => (f['facts/films.json'] = []),
    hides: ['id="film"'],
  },
  {
    wish: 'no partners, figures, features or comparison',
    change: (f) => {
      for (const name of ['partners', 'coin-facts', 'features']) f[`facts/${name}.json`] = []
      f['facts/comparison.json'] = { columns: [], rows: [] }
    },
    hides: ['id="partners"', 'id="coin-facts"', 'id="features"', 'id="comparison"'],
  },
  {
    wish: 'a comparison with six others',
    change: (f) =>
      (f['facts/comparison.json'] = {
        columns: Array.from({ length: 7 }, (_, at) => ({
          id: `coin-${at}`,
          ...words({ title: `Coin ${at}` }, { title: `Coin ${at} 号` }),
        })),
        rows: [{ id: 'age', ...words({ label: 'Age', values: Array(7).fill('1') }, { label: '年龄' }) }],
      }),
    shows: ['Coin 6'],
  },
  {
    wish: 'a partner with a picture and no number',
    change: (f) =>
      (f['facts/partners.json'] = [
        { id: 'mill', ...words({ name: 'The Mill', line: 'Grinds' }, { line: '研磨' }) },
      ]),
    shows: ['The Mill'],
    hides: ['NaN'],
  },
  {
    wish: 'a drawing of four that work together',
    change: (f) => {
      const { nodes, edges } = f['facts/synergy.json']
      const ids = nodes.slice(0, 4).map(({ id }: { id: string }) => id)
      const stay = ({ from, to }: { from: string; to: string }) => ids.includes(from) && ids.includes(to)
      f['facts/synergy.json'] = { nodes: nodes.slice(0, 4), edges: edges.filter(stay) }
    },
    hides: ['NaN', 'Infinity'],
  },
  {
    wish: 'no such drawing',
    change: (f) => (f['facts/synergy.json'] = { nodes: [], edges: [] }),
    hides: ['NaN', 'role="img"'],
  },
  { wish: 'a ticker with a digit', change: (f) => (f['brand.json'].ticker = '1UP') },
  {
    wish: 'a ticker in small letters, of one letter, or of ten',
    change: (f) => (f['brand.json'].ticker = 'wrapOrder0'),
  },
  {
    wish: 'a long name with a space and a digit, of ordinary words',
    change: (f) =>
      Object.assign(f['brand.json'], { name: 'The Open Order 2 Foundation Network', ticker: 'ONE' }),
  },
  {
    wish: 'a token on a chain like Ethereum',
    change: (f) => (f['brand.json'].chain = { format: 'ethereum', begins: ['0x'] }),
  },
  {
    wish: 'a chain with Bech32 alone',
    change: (f) => (f['brand.json'].chain = { format: 'bech32', prefix: 'sky2' }),
  },
  { wish: 'a chain that nobody here knows', change: (f) => (f['brand.json'].chain = { format: 'other' }) },
]

/** Returns the content with some of its files changed. */
function changed(change: (files: Files) => void): { given: GivenContent; values: Files } {
  const values: Files = {}
  const proxy = new Proxy(values, {
    get: (_, file: string) => (values[file] ??= structuredClone(given.json(file))),
    set: (_, file: string, value) => ((values[file] = value), true),
  })
  change(proxy)
  // Generated files are left out, because no wish depends on them.
  const names: GivenContent['names'] = (folder) => (folder.startsWith('media/') ? [] : given.names(folder))
  return { given: { json: (file) => values[file] ?? given.json(file), names }, values }
}

const htmlOf = async (values: Files, path: string, language: Language) => {
  const content = makeSiteContent(() => ({
    ...files,
    brand: (values['brand.json'] as Record<string, unknown> | undefined) ?? files.brand,
    documents: values['media/pdfs/documents.json'] ?? files.documents,
    facts: new Map([...files.facts].map(([file, value]) => [file, values[file] ?? value])),
  }))
  const { status, html } = await render({
    path,
    language,
    call: answering(content, answeringOne),
    origin: 'https://coin.example',
    appId: defaultAppId,
    filesOf: () => ({
      languageCheck: '/l.js',
      entry: '/e.js',
      page: '/p.js',
      styles: [],
      modules: [],
      fonts: [],
    }),
  })
  expect(status).toBe(200)
  return html.replaceAll(/<script[\s\S]*?<\/script>/g, '')
}

test.each(wishes)(
  '$wish: no mistake, and the pages show it',
  async ({ change, page = '/', shows = [], hides = [] }) => {
    const { given: wished, values } = changed(change)
    expect(checkContent(wished).map((found) => problemMessage(found))).toEqual([])
    for (const language of completeLanguages) {
      const html = await htmlOf(values, page, language)
      for (const text of shows) expect(html).toContain(text)
      for (const text of hides) expect(html).not.toContain(text)
      expect(html).not.toMatch(/\{\w+\}<|undefined|NaN|\[object/)
    }
  },
)

test.each([
  'https://www.youtube.com/@name',
  'https://fosstodon.org/@name',
  'https://mastodon.social/@name@other.example',
  'https://www.threads.net/@name',
  'https://www.tiktok.com/@name',
  'https://medium.com/@name',
  'https://t.me/name',
  'https://bsky.app/profile/name.example',
  'https://matrix.to/#/#name:matrix.org',
  'https://matrix.to/#/@name:matrix.org',
  'https://primal.net/p/npub1xyz',
  'https://line.me/R/ti/p/@name',
  'https://space.bilibili.com/1234',
  'https://www.zhihu.com/people/name',
  'https://farcaster.xyz/name?x=a@b.example',
])('an account at %s is taken as the network writes it', (social) => {
  const { given: wished } = changed((f) => (f['brand.json'].social.other = social))
  expect(checkContent(wished)).toEqual([])
})

test.each([
  ['http://a.example/@name', 'web_address'],
  ['www.youtube.com/@name', 'web_address'],
  ['https://a.example@b.example', 'web_address_user'],
  ['https://a.example%40b.example/@name', 'web_address_user'],
  ['https://user:word@b.example/@name', 'web_address_user'],
  ['https:////a.example@b.example', 'web_address_host'],
  ['https://a.example/a b', 'web_address_characters'],
  ['https://a.example\\@b.example', 'web_address_characters'],
  ['https://', 'web_address_host'],
  ['https://a b', 'web_address_characters'],
  ['https://a..%00/@name', 'web_address_host'],
])('the address %s is refused for what is wrong with it: %s', (social, code) => {
  const found = checkContent(changed((f) => (f['brand.json'].social.other = social)).given)
  expect(found.map((each) => each.code)).toEqual([code])
})

test.each<[string, (files: Files) => void, string]>([
  [
    'an address that runs a script',
    (f) => (f['brand.json'].social.discord = 'javascript:alert(1)'),
    'brand.json social.discord',
  ],
  [
    'a network without a name',
    (f) => (f['brand.json'].social['<b>'] = 'https://a.example'),
    'brand.json social.<b>',
  ],
  [
    'a milestone of a fifth quarter',
    (f) => (f['facts/roadmap.json'] = [milestone(1, '2022-Q5')]),
    'facts/roadmap.json step-1.date',
  ],
  [
    'an entry without its Chinese',
    (f) => (f['facts/roadmap.json'] = [{ ...milestone(1), cn: undefined }]),
    'facts/roadmap.json step-1.cn',
  ],
  [
    'a chain with a prefix and none given',
    (f) => (f['brand.json'].chain = { format: 'bech32' }),
    'brand.json chain.prefix',
  ],
  ['a ticker with a space', (f) => (f['brand.json'].ticker = 'A B'), 'brand.json ticker'],
])('%s is refused with a sentence, its file and its place', (_, change, place) => {
  const found = checkContent(changed(change).given).map((each) => problemMessage(each))
  expect(found.map(({ file, place: at }) => `${file} ${at}`)).toEqual([place])
  for (const { words: said } of found)
    for (const language of completeLanguages) expect(said[language]).not.toBe('')
})
