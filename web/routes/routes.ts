import type { Language } from '#contract/fields.ts'
import { withPrefix } from '../i18n/language.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { Page } from './page.ts'
import type { PageEntry } from './route.ts'

const pages = import.meta.glob<{ default: Page }>(['../**/*-page.tsx', '!../console/**'])

const pageIn = (file: string): Pick<PageEntry, 'file' | 'page'> => {
  const page = pages[`../${file}`]
  if (!page) throw new Error(`web/${file} is missing`)
  return { file, page }
}

const anyone = { guard: 'anyone', rendered: 'ready' } as const
const stranger = { guard: 'stranger', rendered: 'ready' } as const
/** Reached by a link that was mailed or scanned, whoever is signed in. */
const holder = { guard: 'anyone', rendered: 'shell' } as const
const member = { guard: 'member', rendered: 'shell' } as const

/** Every page of the site. */
const pageEntries = [
  {
    name: 'home',
    path: '/',
    ...anyone,
    words: ['home', 'video'],
    label: 'layout.nav.home',
    title: 'meta.home.title',
    description: 'meta.home.description',
    ...pageIn('site/home-page.tsx'),
  },
  {
    name: 'project',
    path: '/project',
    ...anyone,
    words: ['documents', 'project'],
    label: 'layout.nav.project',
    title: 'meta.project.title',
    description: 'meta.project.description',
    ...pageIn('site/project-page.tsx'),
  },
  {
    name: 'news',
    path: '/news',
    ...anyone,
    topic: 'announcements',
    query: ['category', 'page', 'q'],
    words: ['forms', 'news'],
    label: 'layout.nav.news',
    title: 'meta.news.title',
    description: 'meta.news.description',
    ...pageIn('announcements/news-page.tsx'),
  },
  {
    name: 'newsPost',
    path: '/news/:slug',
    ...anyone,
    topic: 'announcements',
    words: ['forms', 'news'],
    within: 'news',
    title: 'meta.news.title',
    description: 'meta.news.description',
    ...pageIn('announcements/post-page.tsx'),
  },
  {
    name: 'newsPreview',
    path: '/news/preview/:token',
    ...holder,
    words: ['news', 'preview'],
    within: 'news',
    title: 'meta.newsPreview.title',
    description: 'meta.newsPreview.description',
    ...pageIn('announcements/preview/post-preview-page.tsx'),
  },
  {
    name: 'newsroom',
    path: '/newsroom',
    ...member,
    words: ['forms', 'news', 'newsroom'],
    label: 'layout.account.newsroom',
    title: 'meta.newsroom.title',
    description: 'meta.newsroom.description',
    ...pageIn('announcements/newsroom/newsroom-page.tsx'),
  },
  {
    name: 'help',
    path: '/help',
    ...anyone,
    words: ['documents', 'help'],
    label: 'layout.nav.help',
    title: 'meta.help.title',
    description: 'meta.help.description',
    ...pageIn('site/help-page.tsx'),
  },
  {
    name: 'ambassadorProgram',
    path: '/ambassador-program',
    ...anyone,
    words: ['ambassador', 'documents', 'forms', 'video'],
    label: 'layout.nav.ambassadors',
    title: 'meta.ambassadorProgram.title',
    description: 'meta.ambassadorProgram.description',
    ...pageIn('ambassadors/ambassador-program-page.tsx'),
  },
  {
    name: 'login.signin',
    path: '/login/signin',
    ...stranger,
    words: ['forms', 'login', 'step-up'],
    label: 'layout.nav.signIn',
    title: 'meta.login.signin.title',
    description: 'meta.login.signin.description',
    ...pageIn('sessions/signin-page.tsx'),
  },
  {
    name: 'login.signup',
    path: '/login/signup',
    ...stranger,
    words: ['forms', 'login'],
    label: 'layout.nav.signUp',
    title: 'meta.login.signup.title',
    description: 'meta.login.signup.description',
    ...pageIn('accounts/signup-page.tsx'),
  },
  {
    name: 'login.reset',
    path: '/login/reset',
    ...stranger,
    words: ['forms', 'login'],
    title: 'meta.login.reset.title',
    description: 'meta.login.reset.description',
    ...pageIn('accounts/reset-page.tsx'),
  },
  {
    name: 'login.activate',
    path: '/login/activate',
    ...stranger,
    rendered: 'shell',
    words: ['forms', 'login'],
    title: 'meta.login.activate.title',
    description: 'meta.login.activate.description',
    ...pageIn('accounts/activate-page.tsx'),
  },
  {
    name: 'login.changePassword',
    path: '/login/change-password/:id/:code',
    ...stranger,
    rendered: 'shell',
    words: ['forms', 'login'],
    title: 'meta.login.changePassword.title',
    description: 'meta.login.changePassword.description',
    ...pageIn('accounts/change-password-page.tsx'),
  },
  {
    name: 'login.stop',
    path: '/login/stop/:id/:code',
    ...holder,
    words: ['forms', 'login'],
    title: 'meta.login.stop.title',
    description: 'meta.login.stop.description',
    ...pageIn('sessions/lost-factors/stop-lost-factor-page.tsx'),
  },
  {
    name: 'account.userInfo',
    path: '/account/user-info',
    ...member,
    words: ['forms', 'account', 'consents'],
    label: 'layout.account.userInfo',
    title: 'meta.account.userInfo.title',
    description: 'meta.account.userInfo.description',
    ...pageIn('accounts/user-info-page.tsx'),
  },
  {
    name: 'account.accountDetails',
    path: '/account/account-details',
    ...member,
    words: ['forms', 'account', 'orders'],
    label: 'layout.account.details',
    title: 'meta.account.accountDetails.title',
    description: 'meta.account.accountDetails.description',
    ...pageIn('orders/account-details-page.tsx'),
  },
  {
    name: 'account.security',
    path: '/account/security',
    ...member,
    words: ['forms', 'login', 'security', 'step-up'],
    label: 'layout.account.security',
    title: 'meta.account.security.title',
    description: 'meta.account.security.description',
    ...pageIn('sessions/security-page.tsx'),
  },
  {
    name: 'kyc',
    path: '/kyc',
    ...member,
    words: ['forms', 'kyc'],
    label: 'layout.account.kyc',
    title: 'meta.kyc.title',
    description: 'meta.kyc.description',
    ...pageIn('kyc/kyc-page.tsx'),
  },
  {
    name: 'kyc.phone',
    path: '/kyc/phone',
    ...holder,
    words: ['forms', 'kyc'],
    title: 'meta.kyc.phone.title',
    description: 'meta.kyc.phone.description',
    ...pageIn('kyc/phone/kyc-phone-page.tsx'),
  },
  {
    name: 'kyc.review',
    path: '/kyc/review',
    ...member,
    words: ['forms', 'kyc', 'review'],
    label: 'layout.account.kycReview',
    title: 'meta.kyc.review.title',
    description: 'meta.kyc.review.description',
    ...pageIn('kyc/review/kyc-review-page.tsx'),
  },
  {
    name: 'lostFactors',
    path: '/lost-factors',
    ...member,
    words: ['forms', 'lost-factors'],
    label: 'layout.account.lostFactors',
    title: 'meta.lostFactors.title',
    description: 'meta.lostFactors.description',
    ...pageIn('sessions/lost-factors/lost-factors-page.tsx'),
  },
  {
    name: 'currentlyUnavailable',
    path: '/currently-unavailable',
    ...anyone,
    words: ['placeholder'],
    label: 'placeholder.title',
    title: 'meta.currentlyUnavailable.title',
    description: 'meta.currentlyUnavailable.description',
    ...pageIn('site/placeholder-page.tsx'),
  },
  {
    name: 'legal.terms',
    path: '/legal/terms',
    ...anyone,
    words: ['legal'],
    label: 'layout.footer.terms',
    title: 'meta.legal.terms.title',
    description: 'meta.legal.terms.description',
    ...pageIn('site/terms-page.tsx'),
  },
  {
    name: 'legal.privacy',
    path: '/legal/privacy',
    ...anyone,
    words: ['legal'],
    label: 'layout.footer.privacy',
    title: 'meta.legal.privacy.title',
    description: 'meta.legal.privacy.description',
    ...pageIn('site/privacy-page.tsx'),
  },
] as const satisfies readonly PageEntry[]

export type RouteName = (typeof pageEntries)[number]['name']
export type Route = PageEntry & { name: RouteName; within?: RouteName }

export const routes: readonly Route[] = pageEntries

/** Addresses that redirect to a page. */
export const redirects: readonly { path: string; redirect: RouteName }[] = [
  { path: '/login', redirect: 'login.signin' },
  { path: '/account', redirect: 'account.userInfo' },
]

/** Public pages alone have a Chinese address of their own and are meant for search engines. */
export const isPublic = (route: Route): boolean => route.guard === 'anyone' && route.rendered === 'ready'

/** A route with exactly one address, which can be listed without querying data. */
export const isListed = (route: Route): boolean => isPublic(route) && !route.path.includes(':')

export function getRoute(name: RouteName): Route {
  const route = routes.find((each) => each.name === name)
  if (!route) throw new Error(`no page ${name}`)
  return route
}

/** The label of a page in menus and breadcrumbs. */
export function labelOf(name: RouteName): PlainKey {
  const { label, title } = getRoute(name)
  return label ?? title
}

/** The address of a page. Every link is built with this. */
export const pathTo = (name: RouteName, params: Record<string, string> = {}): string =>
  getRoute(name).path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))

/** The address of a public page in one language, whatever the reader has chosen. */
export const pathIn = (language: Language, name: RouteName, params: Record<string, string> = {}): string =>
  language === 'cn' ? withPrefix(pathTo(name, params)) : pathTo(name, params)
