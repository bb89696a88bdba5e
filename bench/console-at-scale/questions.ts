import {
  listConsoleMembers,
  exportConsoleMembers,
  readMemberTimeline,
  getConsoleMember,
} from '../../contract/console-members.ts'
import {
  exportConsoleOrders,
  exportOrderAccounts,
  getConsoleOrder,
  listConsoleOrders,
} from '../../contract/console-orders.ts'
import { readOrderTotals } from '../../contract/order-totals.ts'
import { exportAmbassadorApplications, readApplicationBoard } from '../../contract/console-ambassadors.ts'
import { exportMails, getMail, listMails, readMailFigures } from '../../contract/console-mails.ts'
import { exportRecord } from '../../contract/console-audit-log.ts'
import { listNeedsAttention, readDashboardMetrics } from '../../contract/console-home.ts'
import { listConsoleViews } from '../../contract/console-views.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listKycCases, readKycStatistics } from '../../contract/kyc-review.ts'
import { findMembers, listMembers } from '../../contract/members.ts'
import { listAutosaves, listNewsroomPosts } from '../../contract/newsroom.ts'
import { listOrders } from '../../contract/order-desk.ts'
import { findOrders } from '../../contract/orders.ts'
import { listRecoveryRequests } from '../../contract/account-recovery.ts'
import type { Chair } from '../installation/front-door.ts'
import { aMail, aMember, anOrder, between, hex, words, type Query } from './lists.ts'

export type Question = {
  name: string
  endpoint: Endpoint
  query?: Query
  body?: object
  params?: object
  chair?: Chair
}

const file = (name: string, endpoint: Endpoint, queries: readonly Query[]): Question[] =>
  queries.map((query) => ({ name: `${name} ${words(query)}`, endpoint, query }))

/** The palette requests five results from each list that the member can open. */
const palette = ['anna', '李', `olga${aMember}@gmail.example`, hex(anOrder), 'nobody at all'].flatMap((q) =>
  [listConsoleMembers, listConsoleOrders, listKycCases, listNewsroomPosts].map((endpoint): Question => ({
    name: `palette ${endpoint.path} q=${q}`,
    endpoint,
    query: { q, limit: 5 },
  })),
)

export const questions: readonly Question[] = [
  { name: 'home: what waits', endpoint: listNeedsAttention },
  { name: 'home: what waits (employee)', endpoint: listNeedsAttention, chair: 'employee' },
  { name: 'home: figures', endpoint: readDashboardMetrics },
  { name: 'home: figures (employee)', endpoint: readDashboardMetrics, chair: 'employee' },
  { name: 'mails: figures', endpoint: readMailFigures },
  { name: 'mails: figures (employee)', endpoint: readMailFigures, chair: 'employee' },
  { name: 'identity: figures', endpoint: readKycStatistics },
  { name: 'ambassadors: board', endpoint: readApplicationBoard },
  { name: 'orders: totals of 30 days', endpoint: readOrderTotals },
  { name: 'saved views', endpoint: listConsoleViews, query: { list: 'orders' } },
  { name: 'lost factors', endpoint: listRecoveryRequests },
  { name: 'newsroom: working copies', endpoint: listAutosaves },
  { name: 'a member', endpoint: getConsoleMember, params: { id: 'member-7' } },
  { name: 'a member: timeline', endpoint: readMemberTimeline, params: { id: 'member-7' } },
  { name: 'timeline of an officer', endpoint: readMemberTimeline, params: { id: 'member-2' } },
  { name: 'an order', endpoint: getConsoleOrder, params: { id: `order-${anOrder}` } },
  { name: 'a mail', endpoint: getMail, params: { id: `mail-${aMail}` } },
  ...palette,
  { name: 'palette mails', endpoint: listMails, query: { recipient: 'anna@', limit: 5 } },
  ...file('members.csv', exportConsoleMembers, [
    {},
    { kyc: 'rejected', active: 'no' },
    { q: 'hemlock', sort: '-signIn' },
  ]),
  ...file('orders.csv', exportConsoleOrders, [
    {},
    { status: 'pending', sort: 'amount' },
    { coin: 'doge', sort: '-deadline' },
  ]),
  ...file('orders-accounting.csv', exportOrderAccounts, [{}, between(60, 30)]),
  ...file('mails.csv', exportMails, [{}, { state: 'failed', sort: 'changed' }]),
  ...file('ambassador-applications.csv', exportAmbassadorApplications, [{}, { status: 'declined' }]),
  ...file('record.csv', exportRecord, [{}, { actor: 'member-2', what: 'changes' }]),
  { name: 'members/', endpoint: listMembers },
  ...[
    { q: 'anna' },
    { q: 'hemlock' },
    { q: 'nobody at all' },
    { q: '娜' },
    { displayName: 'Nobody' },
    { isWriteAccessAdmin: true },
    { active: false },
  ].map((body): Question => ({
    name: `members/find ${words(body as unknown as Query)}`,
    endpoint: findMembers,
    body,
  })),
  { name: 'icotx/', endpoint: listOrders },
  { name: 'icotx/find status=pending', endpoint: findOrders, body: { status: 'pending' } },
]
