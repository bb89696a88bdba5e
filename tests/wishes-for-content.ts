import { completeLanguages } from '#contract/languages.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- content files, changed as a person would by hand
type Json = any
export type Files = Record<string, Json>

const words = (parts: object, chinese: object = {}) => ({ en: parts, cn: { ...parts, ...chinese } })
const person = (id: string, more: object = {}) => ({
  id,
  ...words({ name: 'Ada Example', title: 'Keeper', skills: [] }, { title: '守护' }),
  ...more,
})
export const milestone = (at: number, date = `20${30 + at}-01`) => ({
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
export const wishes: Wish[] = [
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
