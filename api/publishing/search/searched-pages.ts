import type { PublicDataFile } from '#contract/publishing/public-content.ts'

/** A part of a page with a heading and an address. */
export type SearchedSection = {
  /** ID of the section's element. */
  anchor: string
  /** Key of the heading's message. */
  heading: string
  /** Keys of the section's messages. A key that ends in a period stands for all keys that begin with it. */
  texts: readonly string[]
  /** The list in the section, which the page hides if the list is empty. `place` selects some of the entries. */
  list?: { file: PublicDataFile; place?: string }
}

export type SearchedPage = {
  path: string
  /** Key of the page's name. */
  name: string
  texts: readonly string[]
  sections: readonly SearchedSection[]
}

/** A section whose messages share a key prefix. */
const section = (anchor: string, prefix: string): SearchedSection => ({
  anchor,
  heading: `${prefix}.heading`,
  texts: [`${prefix}.`],
})

/** A section that introduces a list. */
const list = (anchor: string, prefix: string, file: PublicDataFile, place?: string): SearchedSection => ({
  anchor,
  heading: `${prefix}.heading`,
  texts: [`${prefix}.intro`],
  list: { file, ...(place !== undefined && { place }) },
})

/** A section of which only the heading and the introduction are searched. */
const heading = (anchor: string, prefix: string): SearchedSection => ({
  anchor,
  heading: `${prefix}.heading`,
  texts: [`${prefix}.intro`],
})

/**
 * What a search finds on each public page. Questions, documents, and posts are added from their lists. A guard compares
 * this list with the pages and with the headings on them.
 */
export const searchedPages: readonly SearchedPage[] = [
  {
    path: '/',
    name: 'layout.nav.home',
    texts: ['meta.home.description', 'home.hero.title', 'home.hero.lead'],
    sections: [
      list('partners', 'home.partners', 'facts/partners.json'),
      {
        anchor: 'overview',
        heading: 'home.overview.heading',
        texts: ['home.overview.', 'home.synergy.heading', 'home.synergy.intro'],
      },
      list('films', 'home.films', 'facts/films.json', 'home'),
      section('problem', 'home.problem'),
      section('solution-heading', 'home.solution'),
      list('coin-facts', 'home.coinFacts', 'facts/coin-facts.json'),
      list('features', 'home.features', 'facts/features.json'),
      heading('wallet', 'home.stores'),
      list('comparison', 'home.comparison', 'facts/comparison.json'),
      list('roadmap', 'home.roadmap', 'facts/roadmap.json'),
      list('team', 'home.team', 'facts/team.json'),
    ],
  },
  {
    path: '/project',
    name: 'layout.nav.project',
    texts: ['meta.project.description', 'project.hero.title', 'project.hero.lead'],
    sections: [
      section('wallet', 'project.wallet'),
      section('scalable', 'project.scalable'),
      section('own-token', 'project.ownToken'),
      section('crowdfunding', 'project.crowdfunding'),
      section('dao', 'project.dao'),
      section('get-started', 'project.getStarted'),
      section('force', 'project.force'),
    ],
  },
  {
    path: '/news',
    name: 'layout.nav.news',
    texts: ['meta.news.description', 'news.hero.lead'],
    sections: [],
  },
  {
    path: '/newsletter',
    name: 'newsletter.heading',
    texts: ['meta.newsletter.description', 'newsletter.lead'],
    sections: [],
  },
  {
    path: '/help',
    name: 'layout.nav.help',
    texts: ['meta.help.description', 'help.hero.title', 'help.hero.lead'],
    sections: [
      heading('faq', 'help.faq'),
      heading('technical', 'help.technical'),
      heading('manuals', 'help.manuals'),
      section('contact-heading', 'help.contact'),
    ],
  },
  {
    path: '/ambassador-program',
    name: 'layout.nav.ambassadors',
    texts: ['meta.ambassadorProgram.description', 'ambassador.hero.title', 'ambassador.hero.lead'],
    sections: [
      heading('ambassadors', 'ambassador.list'),
      list('film', 'ambassador.promo', 'facts/films.json', 'ambassador'),
      section('about', 'ambassador.about'),
      heading('apply', 'ambassador.form'),
    ],
  },
  {
    path: '/sale',
    name: 'sale.heading',
    texts: [
      'meta.sale.description',
      'sale.steps.heading',
      'sale.who.',
      'sale.risks.',
      'sale.calculator.heading',
    ],
    sections: [],
  },
  {
    path: '/official',
    name: 'official.title',
    texts: ['meta.official.description', 'official.lead'],
    sections: [section('look-heading', 'official.look'), section('list-heading', 'official.list')],
  },
  {
    path: '/contact',
    name: 'contact.heading',
    texts: ['meta.contact.description', 'contact.lead'],
    sections: [],
  },
  {
    path: '/white-paper',
    name: 'whitePaper.title',
    texts: ['meta.whitePaper.description', 'whitePaper.lead'],
    sections: [
      section('versions', 'whitePaper.versions'),
      section('responsible', 'whitePaper.statement'),
      section('risks', 'whitePaper.risks'),
      section('withdrawal', 'whitePaper.withdrawal'),
      section('marketing', 'whitePaper.marketing'),
      section('issuer', 'whitePaper.issuer'),
    ],
  },
  {
    path: '/legal/terms',
    name: 'legal.terms.title',
    texts: ['meta.legal.terms.description'],
    sections: [
      section('account', 'legal.terms.account'),
      section('wallet', 'legal.terms.wallet'),
      section('orders', 'legal.terms.orders'),
      section('advice', 'legal.terms.advice'),
      section('content', 'legal.terms.content'),
      section('liability', 'legal.terms.liability'),
      section('changes', 'legal.terms.changes'),
    ],
  },
  {
    path: '/legal/privacy',
    name: 'legal.privacy.title',
    texts: ['meta.legal.privacy.description'],
    sections: [
      section('who', 'legal.privacy.who'),
      section('visit', 'legal.privacy.visit'),
      section('account', 'legal.privacy.account'),
      section('kyc', 'legal.privacy.kyc'),
      section('ambassador', 'legal.privacy.ambassador'),
      section('messages', 'legal.privacy.messages'),
      section('reminder', 'legal.privacy.reminder'),
      section('sharing', 'legal.privacy.sharing'),
      section('rights', 'legal.privacy.rights'),
    ],
  },
  {
    path: '/login/signin',
    name: 'layout.nav.signIn',
    texts: ['meta.login.signin.description'],
    sections: [],
  },
  {
    path: '/login/signup',
    name: 'layout.nav.signUp',
    texts: ['meta.login.signup.description'],
    sections: [],
  },
  {
    path: '/login/reset',
    name: 'login.reset.heading',
    texts: ['meta.login.reset.description'],
    sections: [],
  },
]

/** Public pages that a search doesn't find, each with the reason. */
export const unsearchedPages: Readonly<Record<string, string>> = {
  '/search': 'It is the search page itself.',
  '/currently-unavailable': 'It says only that something isn’t available.',
  '/news/:slug': 'Posts are searched in the database.',
  '/news/:of/:slug': 'The posts that these pages list are searched in the database.',
  '/sale/reminder': 'It is opened by a link in an email.',
  '/ambassadors/:slug':
    'Someone who checks a person must use the complete list: a search without results must not look like an answer.',
}
