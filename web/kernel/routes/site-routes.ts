import type { PageContents } from './route.ts'
import { sitePlaces } from './site-places.ts'

type Name = (typeof sitePlaces)[number]['name']
const entries: Readonly<Record<Name, PageContents>> = {
  home: {
    words: ['home', 'video'],
    title: 'meta.home.title',
    description: 'meta.home.description',
    file: 'site/home-page.tsx',
  },
  project: {
    words: ['documents', 'project'],
    title: 'meta.project.title',
    description: 'meta.project.description',
    file: 'site/project-page.tsx',
  },
  news: {
    topic: 'announcements',
    query: ['category', 'page', 'q'],
    words: ['forms', 'news'],
    title: 'meta.news.title',
    description: 'meta.news.description',
    file: 'announcements/news-page.tsx',
  },
  newsPost: {
    topic: 'announcements',
    words: ['forms', 'news'],
    title: 'meta.news.title',
    description: 'meta.news.description',
    file: 'announcements/post-page.tsx',
  },
  newsPreview: {
    words: ['news', 'preview'],
    title: 'meta.newsPreview.title',
    description: 'meta.newsPreview.description',
    file: 'announcements/preview/post-preview-page.tsx',
  },
  newsletter: {
    words: ['forms', 'news', 'newsletter'],
    title: 'meta.newsletter.title',
    description: 'meta.newsletter.description',
    file: 'newsletter/newsletter-page.tsx',
  },
  'newsletter.confirm': {
    words: ['forms', 'news', 'newsletter'],
    title: 'meta.newsletter.confirm.title',
    description: 'meta.newsletter.confirm.description',
    file: 'newsletter/confirm-news-page.tsx',
  },
  'newsletter.manage': {
    words: ['forms', 'news', 'newsletter'],
    title: 'meta.newsletter.manage.title',
    description: 'meta.newsletter.manage.description',
    file: 'newsletter/manage-news-page.tsx',
  },
  help: {
    words: ['documents', 'help'],
    title: 'meta.help.title',
    description: 'meta.help.description',
    file: 'site/help-page.tsx',
  },
  ambassadorProgram: {
    topic: 'ambassadors',
    words: ['ambassador', 'documents', 'forms', 'video'],
    title: 'meta.ambassadorProgram.title',
    description: 'meta.ambassadorProgram.description',
    file: 'ambassadors/ambassador-program-page.tsx',
  },
  ambassador: {
    topic: 'ambassadors',
    words: ['ambassador-badge'],
    title: 'meta.ambassador.title',
    description: 'meta.ambassador.description',
    file: 'ambassadors/badge/ambassador-page.tsx',
  },
  ambassadorStatus: {
    words: ['ambassador-status', 'forms'],
    title: 'meta.ambassadorStatus.title',
    description: 'meta.ambassadorStatus.description',
    file: 'ambassadors/application/application-status-page.tsx',
  },
  'login.signin': {
    words: ['forms', 'login', 'step-up'],
    title: 'meta.login.signin.title',
    description: 'meta.login.signin.description',
    file: 'sessions/signin-page.tsx',
  },
  'login.signup': {
    words: ['forms', 'login'],
    title: 'meta.login.signup.title',
    description: 'meta.login.signup.description',
    file: 'accounts/signup-page.tsx',
  },
  'login.reset': {
    words: ['forms', 'login'],
    title: 'meta.login.reset.title',
    description: 'meta.login.reset.description',
    file: 'accounts/reset-page.tsx',
  },
  'login.activate': {
    words: ['forms', 'login'],
    title: 'meta.login.activate.title',
    description: 'meta.login.activate.description',
    file: 'accounts/activate-page.tsx',
  },
  'login.changePassword': {
    words: ['forms', 'login', 'invitation'],
    title: 'meta.login.changePassword.title',
    description: 'meta.login.changePassword.description',
    file: 'accounts/change-password-page.tsx',
  },
  'login.choosePassword': {
    words: ['forms', 'login', 'invitation'],
    title: 'meta.login.changePassword.title',
    description: 'meta.login.changePassword.description',
    file: 'accounts/change-password-page.tsx',
  },
  'login.stop': {
    words: ['forms', 'login'],
    title: 'meta.login.stop.title',
    description: 'meta.login.stop.description',
    file: 'sessions/account-recovery/cancel-recovery-page.tsx',
  },
  'account.userInfo': {
    words: ['forms', 'account', 'consents', 'news', 'newsletter', 'security'],
    title: 'meta.account.userInfo.title',
    description: 'meta.account.userInfo.description',
    begins: { heading: 'account.profile.heading', lead: 'account.profile.lead' },
    file: 'accounts/user-info-page.tsx',
  },
  'account.accountDetails': {
    words: ['forms', 'account', 'orders', 'withdrawals', 'chain-payment'],
    title: 'meta.account.accountDetails.title',
    description: 'meta.account.accountDetails.description',
    begins: { heading: 'orders.heading', lead: 'orders.lead' },
    file: 'orders/account-details-page.tsx',
  },
  'account.ambassador': {
    words: ['forms', 'ambassador-account', 'ambassador-share'],
    title: 'meta.account.ambassador.title',
    description: 'meta.account.ambassador.description',
    begins: { heading: 'ambassadorAccount.heading', lead: 'ambassadorAccount.lead' },
    file: 'ambassadors/own/own-ambassador-page.tsx',
  },
  'account.security': {
    words: ['forms', 'login', 'security', 'step-up'],
    title: 'meta.account.security.title',
    description: 'meta.account.security.description',
    begins: { heading: 'security.heading', lead: 'security.lead' },
    file: 'sessions/security-page.tsx',
  },
  kyc: {
    words: ['forms', 'kyc'],
    title: 'meta.kyc.title',
    description: 'meta.kyc.description',
    begins: { heading: 'kyc.heading', lead: 'kyc.lead' },
    file: 'kyc/kyc-page.tsx',
  },
  'kyc.phone': {
    words: ['forms', 'kyc'],
    title: 'meta.kyc.phone.title',
    description: 'meta.kyc.phone.description',
    file: 'kyc/phone/kyc-phone-page.tsx',
  },
  currentlyUnavailable: {
    words: ['placeholder'],
    title: 'meta.currentlyUnavailable.title',
    description: 'meta.currentlyUnavailable.description',
    file: 'site/placeholder-page.tsx',
  },
  official: {
    words: ['forms', 'official'],
    title: 'meta.official.title',
    description: 'meta.official.description',
    file: 'official/official-page.tsx',
  },
  whitePaper: {
    words: ['white-paper'],
    title: 'meta.whitePaper.title',
    description: 'meta.whitePaper.description',
    file: 'site/white-paper-page.tsx',
  },
  'legal.terms': {
    words: ['legal'],
    title: 'meta.legal.terms.title',
    description: 'meta.legal.terms.description',
    file: 'site/terms-page.tsx',
  },
  'legal.privacy': {
    words: ['legal'],
    title: 'meta.legal.privacy.title',
    description: 'meta.legal.privacy.description',
    file: 'site/privacy-page.tsx',
  },
}

/** Visitor and member pages. */
export const siteRoutes = sitePlaces.map((place) => ({ ...place, ...entries[place.name] }))
