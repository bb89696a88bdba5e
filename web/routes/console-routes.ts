import type { StaffRight } from '#contract/endpoint.ts'
import { consolePath, newsroomPath } from './console-path.ts'
import type { PageEntry } from './route.ts'

const staff = { guard: 'staff', rendered: 'shell', description: 'meta.console.description' } as const
const reads = <Right extends StaffRight>(level: Right) =>
  ({ ...staff, needs: { level, atLeast: 1 } }) as const

const ordersPath = `${consolePath}/orders` as const

/** The pages of the operators' console, a program of its own in the browser. */
export const consoleRoutes = [
  {
    name: 'console.home',
    path: consolePath,
    ...reads('any'),
    words: ['console', 'forms', 'console-home'],
    label: 'console.nav.home',
    title: 'meta.console.title',
    file: 'console/home/console-home-page.tsx',
  },
  {
    name: 'console.newsroom',
    path: newsroomPath,
    ...reads('news'),
    words: ['console', 'forms', 'news', 'newsroom'],
    label: 'console.nav.newsroom',
    title: 'meta.console.newsroom.title',
    file: 'announcements/newsroom/newsroom-page.tsx',
  },
  {
    name: 'console.identity',
    path: `${consolePath}/identity`,
    ...reads('finance'),
    words: ['console', 'forms', 'kyc', 'review'],
    label: 'console.nav.identity',
    title: 'meta.console.identity.title',
    file: 'kyc/review/kyc-review-page.tsx',
  },
  {
    name: 'console.orders',
    path: ordersPath,
    ...reads('finance'),
    words: ['console', 'forms', 'orders', 'console-orders'],
    label: 'console.nav.orders',
    title: 'meta.console.orders.title',
    file: 'console/orders/orders-page.tsx',
  },
  {
    name: 'console.totals',
    path: `${ordersPath}/totals`,
    ...reads('finance'),
    within: 'console.orders',
    words: ['console', 'forms', 'orders', 'console-orders'],
    label: 'console.nav.totals',
    title: 'meta.console.totals.title',
    file: 'console/orders/totals-page.tsx',
  },
  {
    name: 'console.import',
    path: `${ordersPath}/import`,
    ...staff,
    needs: { level: 'finance', atLeast: 2 },
    within: 'console.orders',
    words: ['console', 'forms', 'orders', 'console-orders'],
    label: 'console.nav.import',
    title: 'meta.console.import.title',
    file: 'console/orders/import-page.tsx',
  },
  {
    name: 'console.order',
    path: `${ordersPath}/:id`,
    ...reads('finance'),
    within: 'console.orders',
    words: ['console', 'forms', 'orders', 'console-orders'],
    label: 'console.nav.order',
    title: 'meta.console.order.title',
    file: 'console/orders/order-page.tsx',
  },
  {
    name: 'console.lostFactors',
    path: `${consolePath}/lost-factors`,
    ...staff,
    needs: { level: 'employee', atLeast: 2 },
    words: ['console', 'forms', 'lost-factors'],
    label: 'console.nav.lostFactors',
    title: 'meta.console.lostFactors.title',
    file: 'sessions/lost-factors/lost-factors-page.tsx',
  },
  {
    name: 'console.sale',
    path: `${consolePath}/sale`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    label: 'console.nav.sale',
    title: 'meta.console.sale.title',
    file: 'console/sale/sale-page.tsx',
  },
  {
    name: 'console.saleHistory',
    path: `${consolePath}/sale/history`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    label: 'console.nav.saleHistory',
    title: 'meta.console.saleHistory.title',
    file: 'console/sale/sale-history-page.tsx',
  },
  {
    name: 'console.saleVersion',
    path: `${consolePath}/sale/history/:id`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    label: 'console.nav.saleHistory',
    title: 'meta.console.saleVersion.title',
    within: 'console.saleHistory',
    file: 'console/sale/sale-version-page.tsx',
  },
  {
    name: 'console.appRecord',
    path: `${consolePath}/app-record`,
    ...reads('coins'),
    words: ['console', 'forms', 'console-sale'],
    label: 'console.nav.appRecord',
    title: 'meta.console.appRecord.title',
    file: 'console/sale/app-record-page.tsx',
  },
] as const satisfies readonly PageEntry[]
