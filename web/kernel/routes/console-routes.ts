import { ambassadors } from '#contract/people/console-ambassador-profiles.ts'
import { ambassadorApplications } from '#contract/people/console-ambassadors.ts'
import { consoleMembers } from '#contract/people/console-members.ts'
import { consoleOrders } from '#contract/money/console-orders.ts'
import { settingVersions } from '#contract/people/settings.ts'
import { consolePath, newsroomPath } from './console-path.ts'
import { operationRoutes } from './operation-routes.ts'
import type { ConsoleEntry } from './route.ts'
import { reads, recordPages, staff } from './staff-page.ts'

const ordersPath = `${consolePath}/orders` as const
const contentPath = `${consolePath}/content` as const
/** The newsroom's messages are needed for scheduling and comparing. */
const contentWords = ['console', 'console-content', 'forms', 'news', 'newsroom'] as const

/** The pages of the staff console, which is a separate program in the browser. */
export const consoleRoutes = [
  {
    name: 'console.home',
    menu: null,
    path: consolePath,
    ...reads('any'),
    words: ['console', 'forms', 'console-home'],
    label: 'console.nav.home',
    title: 'console.name',
    file: 'console/home/console-home-page.tsx',
  },
  ...recordPages(
    consoleMembers,
    {
      name: 'console.members',
      menu: 'console.nav.people',
      path: `${consolePath}/members`,
      words: ['console', 'forms', 'console-members'],
      title: 'console.nav.members',
      file: 'console/members/members-page.tsx',
    },
    {
      name: 'console.member',
      words: ['console', 'forms', 'console-members', 'console-mails'],
      title: 'console.nav.member',
      file: 'console/members/member-page.tsx',
      search: { hit: ({ email, name }) => ({ title: name || email, detail: name && email }) },
    },
  ),
  {
    name: 'console.identity',
    menu: 'console.nav.people',
    path: `${consolePath}/identity`,
    ...reads('finance'),
    words: ['console', 'forms', 'kyc', 'review'],
    title: 'console.nav.identity',
    file: 'kyc/review/kyc-review-page.tsx',
  },
  {
    name: 'console.lostFactors',
    menu: 'console.nav.people',
    path: `${consolePath}/lost-factors`,
    ...staff,
    needs: { level: 'employee', atLeast: 2 },
    words: ['console', 'forms', 'lost-factors'],
    title: 'console.nav.lostFactors',
    file: 'sessions/account-recovery/recovery-requests-page.tsx',
  },
  ...recordPages(
    ambassadorApplications,
    {
      name: 'console.ambassadors',
      menu: 'console.nav.people',
      path: `${consolePath}/ambassadors`,
      words: ['console', 'forms', 'console-ambassadors'],
      title: 'console.nav.ambassadors',
      file: 'console/ambassador-applications/ambassadors-page.tsx',
    },
    {
      name: 'console.ambassadorApplication',
      path: `${consolePath}/ambassadors/applications/:id`,
      title: 'console.nav.ambassadorApplication',
      file: 'console/ambassador-applications/application-page.tsx',
      search: {
        hit: ({ fullName, city, country }) => ({ title: fullName, detail: `${city}, ${country}` }),
      },
    },
  ),
  {
    name: 'console.ambassadorApplications',
    path: `${consolePath}/ambassadors/applications`,
    ...reads('employee'),
    within: 'console.ambassadors',
    words: ['console', 'forms', 'console-ambassadors'],
    title: 'console.nav.ambassadors',
    file: 'console/ambassador-applications/applications-page.tsx',
  },
  ...recordPages(
    ambassadors,
    {
      name: 'console.ambassadorProfiles',
      menu: 'console.nav.people',
      path: `${consolePath}/ambassadors/profiles`,
      words: ['console', 'forms', 'console-ambassador-profiles'],
      title: 'console.nav.ambassadorProfiles',
      file: 'console/ambassador-profiles/ambassador-profiles-page.tsx',
    },
    {
      name: 'console.ambassadorProfile',
      title: 'console.nav.ambassadorProfile',
      file: 'console/ambassador-profiles/ambassador-profile-page.tsx',
      search: {
        hit: ({ name, slug }, language) => ({ title: name[language] ?? name.en, detail: slug }),
      },
    },
  ),
  {
    name: 'console.totals',
    path: `${ordersPath}/totals`,
    ...reads('finance'),
    within: 'console.orders',
    words: ['console', 'forms', 'orders', 'console-orders'],
    title: 'console.nav.totals',
    file: 'console/orders/totals-page.tsx',
  },
  {
    name: 'console.import',
    path: `${ordersPath}/import`,
    ...staff,
    needs: { level: 'finance', atLeast: 2 },
    within: 'console.orders',
    words: ['console', 'forms', 'orders', 'console-orders'],
    title: 'console.nav.import',
    file: 'console/orders/import-page.tsx',
  },
  ...recordPages(
    consoleOrders,
    {
      name: 'console.orders',
      menu: 'console.nav.money',
      path: ordersPath,
      words: ['console', 'forms', 'orders', 'console-orders'],
      title: 'console.nav.orders',
      file: 'console/orders/orders-page.tsx',
    },
    {
      name: 'console.order',
      words: ['console', 'forms', 'orders', 'chain-payment', 'console-orders', 'console-withdrawals'],
      title: 'console.nav.order',
      file: 'console/orders/order-page.tsx',
      search: { hit: ({ reference, memberEmail }) => ({ title: reference, detail: memberEmail }) },
    },
  ),
  {
    name: 'console.withdrawals',
    menu: 'console.nav.money',
    path: `${consolePath}/withdrawals`,
    ...reads('finance'),
    words: ['console', 'forms', 'console-orders', 'console-withdrawals'],
    title: 'console.nav.withdrawals',
    file: 'console/orders/withdrawals/withdrawals-page.tsx',
  },
  {
    name: 'console.sale',
    menu: 'console.nav.money',
    path: `${consolePath}/sale`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    title: 'console.nav.sale',
    file: 'console/sale/sale-page.tsx',
  },
  ...recordPages(
    settingVersions,
    {
      name: 'console.saleHistory',
      menu: 'console.nav.money',
      path: `${consolePath}/sale/history`,
      words: ['console', 'forms', 'console-sale'],
      title: 'console.nav.saleHistory',
      file: 'console/sale/sale-history-page.tsx',
    },
    {
      name: 'console.saleVersion',
      title: 'console.nav.saleVersion',
      file: 'console/sale/sale-version-page.tsx',
    },
  ),
  {
    name: 'console.appRecord',
    menu: 'console.nav.money',
    path: `${consolePath}/app-record`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    title: 'console.nav.appRecord',
    file: 'console/sale/app-record-page.tsx',
  },
  {
    name: 'console.newsroom',
    menu: 'console.nav.site',
    path: newsroomPath,
    ...reads('news'),
    words: ['console', 'forms', 'news', 'newsroom'],
    title: 'console.nav.newsroom',
    file: 'announcements/newsroom/newsroom-page.tsx',
  },
  {
    name: 'console.postMail',
    path: `${newsroomPath}/:id/mail`,
    within: 'console.newsroom',
    ...reads('news'),
    words: ['console', 'console-newsletter', 'forms', 'news'],
    title: 'console.nav.postMail',
    file: 'console/newsletter/post-mail-page.tsx',
  },
  {
    name: 'console.subscribers',
    menu: 'console.nav.site',
    path: `${consolePath}/subscribers`,
    ...reads('employee'),
    words: ['console', 'console-newsletter', 'forms', 'news'],
    title: 'console.nav.subscribers',
    file: 'console/newsletter/subscribers-page.tsx',
  },
  {
    name: 'console.content',
    menu: 'console.nav.site',
    path: contentPath,
    ...reads('news'),
    words: contentWords,
    title: 'console.nav.content',
    file: 'console/content/content-page.tsx',
  },
  {
    name: 'console.contentPiece',
    path: `${contentPath}/:kind/:name`,
    ...reads('news'),
    words: contentWords,
    within: 'console.content',
    title: 'console.nav.contentPiece',
    file: 'console/content/content-item-page.tsx',
  },
  {
    name: 'console.contentHistory',
    path: `${contentPath}/:kind/:name/history`,
    ...reads('news'),
    words: contentWords,
    within: 'console.content',
    title: 'console.nav.contentHistory',
    file: 'console/content/content-history-page.tsx',
  },
  {
    name: 'console.official',
    menu: 'console.nav.site',
    path: `${consolePath}/official`,
    ...reads('any'),
    words: ['console', 'forms', 'console-official', 'official'],
    title: 'console.nav.official',
    file: 'console/official/official-entries-page.tsx',
  },
  ...operationRoutes,
] as const satisfies readonly ConsoleEntry[]
