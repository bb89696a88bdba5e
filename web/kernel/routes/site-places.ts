import type { Place } from './route.ts'

const anyone = { guard: 'anyone', rendered: 'ready' } as const
const stranger = { guard: 'stranger', rendered: 'ready' } as const
/** Opened with an emailed or scanned link, regardless of who is signed in. */
const holder = { guard: 'anyone', rendered: 'shell' } as const
const member = { guard: 'member', rendered: 'shell' } as const

/** The addresses of visitor and member pages, for links. Their contents are in `site-routes.ts`. */
export const sitePlaces = [
  {
    name: 'home',
    path: '/',
    ...anyone,
    label: 'layout.nav.home',
  },
  {
    name: 'project',
    path: '/project',
    ...anyone,
    label: 'layout.nav.project',
  },
  {
    name: 'news',
    path: '/news',
    ...anyone,
    label: 'layout.nav.news',
  },
  {
    name: 'newsPost',
    path: '/news/:slug',
    ...anyone,
    within: 'news',
  },
  {
    name: 'newsPreview',
    path: '/news/preview/:token',
    ...holder,
    within: 'news',
  },
  {
    // The posts of a category or author. They share one entry, because every page loads this list.
    name: 'newsOf',
    path: '/news/:of/:slug',
    ...anyone,
    within: 'news',
  },
  {
    name: 'newsletter',
    path: '/newsletter',
    ...anyone,
    label: 'newsletter.heading',
    within: 'news',
  },
  {
    name: 'newsletter.confirm',
    path: '/newsletter/confirm',
    ...holder,
    within: 'news',
  },
  {
    name: 'newsletter.manage',
    path: '/newsletter/manage',
    ...holder,
    within: 'news',
  },
  {
    name: 'help',
    path: '/help',
    ...anyone,
    label: 'layout.nav.help',
  },
  {
    name: 'sale',
    path: '/sale',
    ...anyone,
    label: 'layout.footer.sale',
  },
  {
    name: 'saleReminder',
    path: '/sale/reminder',
    ...anyone,
    isUnlisted: true,
    within: 'sale',
  },
  {
    name: 'search',
    path: '/search',
    ...anyone,
    label: 'layout.nav.search',
  },
  {
    name: 'ambassadorProgram',
    path: '/ambassador-program',
    ...anyone,
    label: 'layout.nav.ambassadors',
  },
  {
    name: 'ambassador',
    path: '/ambassadors/:slug',
    ...anyone,
    within: 'ambassadorProgram',
  },
  {
    name: 'ambassadorStatus',
    path: '/ambassador-program/status/:code',
    ...holder,
    within: 'ambassadorProgram',
  },
  {
    name: 'login.signin',
    path: '/login/signin',
    ...stranger,
    label: 'layout.nav.signIn',
  },
  {
    name: 'login.signup',
    path: '/login/signup',
    ...stranger,
    label: 'layout.nav.signUp',
  },
  {
    name: 'login.reset',
    path: '/login/reset',
    ...stranger,
  },
  {
    name: 'login.activate',
    path: '/login/activate',
    ...stranger,
    rendered: 'shell',
  },
  {
    name: 'login.changePassword',
    path: '/login/change-password/:id/:code',
    ...stranger,
    rendered: 'shell',
  },
  {
    name: 'login.choosePassword',
    path: '/login/choose-password/:id/:code',
    ...holder,
  },
  {
    name: 'login.stop',
    path: '/login/stop/:id/:code',
    ...holder,
  },
  {
    name: 'login.email',
    path: '/login/email/:step/:id/:code',
    ...holder,
  },
  {
    name: 'account.userInfo',
    path: '/account/user-info',
    ...member,
    label: 'layout.account.userInfo',
  },
  {
    name: 'account.accountDetails',
    path: '/account/account-details',
    ...member,
    label: 'layout.account.details',
  },
  {
    name: 'account.ambassador',
    path: '/account/ambassador',
    ...member,
    label: 'ambassadorAccount.nav',
  },
  {
    name: 'account.security',
    path: '/account/security',
    ...member,
    label: 'layout.account.security',
  },
  {
    name: 'account.messages',
    path: '/account/messages',
    ...member,
    label: 'layout.account.messages',
  },
  {
    name: 'account.notifications',
    path: '/account/notifications',
    ...member,
    label: 'layout.account.notifications',
  },
  {
    name: 'kyc',
    path: '/kyc',
    ...member,
    label: 'layout.account.kyc',
  },
  {
    name: 'kyc.phone',
    path: '/kyc/phone',
    ...holder,
  },
  {
    name: 'currentlyUnavailable',
    path: '/currently-unavailable',
    ...anyone,
    label: 'placeholder.title',
  },
  {
    name: 'official',
    path: '/official',
    ...anyone,
    label: 'layout.footer.official',
  },
  {
    name: 'contact',
    path: '/contact',
    ...anyone,
    label: 'layout.footer.contact',
  },
  {
    name: 'whitePaper',
    path: '/white-paper',
    ...anyone,
    label: 'whitePaper.title',
    within: 'project',
  },
  {
    name: 'legal.terms',
    path: '/legal/terms',
    ...anyone,
    label: 'layout.footer.terms',
  },
  {
    name: 'legal.privacy',
    path: '/legal/privacy',
    ...anyone,
    label: 'layout.footer.privacy',
  },
] as const satisfies readonly Place[]
