import { listConsoleMembers } from '../../contract/people/console-members.ts'
import { listConsoleOrders } from '../../contract/money/console-orders.ts'
import { listDeliveries } from '../../contract/money/console-deliveries.ts'
import { listPayouts } from '../../contract/money/payouts.ts'
import { listAmbassadorApplications } from '../../contract/people/console-ambassadors.ts'
import { listMails } from '../../contract/platform/console-mails.ts'
import { listRecord } from '../../contract/console/console-audit-log.ts'
import type { Endpoint } from '../../contract/platform/endpoint.ts'
import { listKycCases } from '../../contract/people/kyc-review.ts'
import { listNewsroomPosts } from '../../contract/publishing/newsroom.ts'
import { listSettingVersions } from '../../contract/people/settings.ts'
import type { Chair } from '../installation/front-door.ts'
import { readScale, sizesAt } from '../installation/sizes.ts'

/** `SCALE=10x` makes the installation a hundredth of the full size, to try out the script itself. */
export const sizes = sizesAt(readScale(process.env['SCALE'] ?? 'full'))

export type Query = Record<string, string | number>
const dayOf = (ageDays: number) => new Date(Date.now() - ageDays * 86_400_000).toISOString().slice(0, 10)
export const between = (from: number, to: number): Query => ({ from: dayOf(from), to: dayOf(to) })

/** A list: the values used for each of its filters, both rare and frequent ones, and its sort orders. */
export type List = {
  name: string
  endpoint: Endpoint
  chair?: Chair
  filters: readonly Query[]
  sorts: readonly string[]
}

/** A record that also exists in a small installation. */
export const anOrder = Math.min(4711, sizes.orders)
export const aMail = Math.min(4711, sizes.mails)
export const aMember = Math.floor(sizes.members / 2) + 4
export const hex = (n: number) =>
  ((BigInt(n) * 829_373_737n) % 1_099_511_627_776n).toString(16).toUpperCase().padStart(10, '0')

const members: List = {
  name: 'members',
  endpoint: listConsoleMembers,
  filters: [
    { active: 'yes' },
    { active: 'no' },
    { right: 'any' },
    { right: 'finance' },
    { right: 'admin' },
    { kyc: 'approved' },
    { kyc: 'rejected' },
    { kyc: 'in_review' },
    { kyc: 'more_info' },
    { factor: 'yes' },
    { factor: 'no' },
    between(7, 0),
    between(1500, 1493),
    between(1500, 300),
    { q: 'anna' },
    { q: 'gmail' },
    { q: 'hemlock' },
    { q: `olga${aMember}@gmail.example` },
    { q: '娜' },
    { q: '李 hemlock' },
    { q: 'an' },
    { q: 'nobody at all' },
    { q: '00000000-0000-4000-8000-000000000000' },
  ],
  sorts: ['-joined', 'joined', '-signIn', 'signIn'],
}

const orders: List = {
  name: 'orders',
  endpoint: listConsoleOrders,
  filters: [
    { status: 'pending' },
    { status: 'completed' },
    { status: 'cancelled' },
    { flag: 'payment_reported' },
    { flag: 'reported_late' },
    { flag: 'disputed' },
    { flag: 'shares_transaction' },
    { flag: 'second_person' },
    { coin: 'eth' },
    { coin: 'doge' },
    { coin: 'none' },
    between(7, 0),
    between(400, 393),
    between(600, 100),
    { min: '10', max: '20' },
    { min: '4999' },
    { max: '0.5' },
    { q: hex(anOrder) },
    { q: '1A' },
    { q: `olga${aMember}@gmail.example` },
    { q: 'nobody@example.org' },
    { q: 'ab'.repeat(32) },
  ],
  sorts: ['-placed', 'placed', '-amount', 'amount', '-deadline', 'deadline'],
}

const deliveries: List = {
  name: 'deliveries',
  endpoint: listDeliveries,
  filters: [
    { state: 'due' },
    { state: 'scheduled' },
    { state: 'on_hold' },
    { state: 'in_run' },
    { state: 'sent' },
    { state: 'confirmed' },
    { state: 'cancelled' },
    { hold: 'staff' },
    { hold: 'address_new' },
    { run: 'run-1' },
    between(7, 0),
    between(400, 393),
    between(600, 100),
    { q: hex(anOrder) },
    { q: `olga${aMember}@gmail.example` },
    { q: 'nobody@example.org' },
  ],
  sorts: ['-due', 'due'],
}

const payouts: List = {
  name: 'payouts',
  endpoint: listPayouts,
  filters: [
    { state: 'waiting' },
    { state: 'ready' },
    { state: 'exported' },
    { state: 'partly_sent' },
    { state: 'done' },
    { state: 'cancelled' },
    { waitingFor: 'me' },
    { q: '7' },
    { q: 'abcd' },
    { q: 'ab'.repeat(32) },
  ],
  sorts: ['-frozen', 'frozen'],
}

const mails: List = {
  name: 'mails',
  endpoint: listMails,
  filters: [
    { state: 'sent' },
    { state: 'failed' },
    { state: 'waiting' },
    { state: 'retrying' },
    { state: 'stopped' },
    { kind: 'new-sign-in' },
    { kind: 'kyc-approved' },
    { kind: 'erasure-opened' },
    { kind: 'none-such' },
    between(2, 0),
    between(25, 24),
    { recipient: 'anna' },
    { recipient: `olga${aMember}@` },
    { recipient: 'nobody@' },
  ],
  sorts: ['-created', 'created', '-changed', 'changed'],
}

const record: List = {
  name: 'record',
  endpoint: listRecord,
  filters: [
    { actor: 'member-2' },
    { actor: `olga${aMember}@gmail.example` },
    { actor: 'member-none' },
    { actor: 'program' },
    { action: 'member-listed' },
    { action: 'sale-updated' },
    { action: 'kyc-lifted' },
    { kind: 'member' },
    { kind: 'sale' },
    { kind: 'announcement' },
    { subject: `order-${anOrder}` },
    { subject: `olga${aMember}@gmail.example` },
    { subject: hex(anOrder) },
    { what: 'changes' },
    { what: 'readings' },
    between(2, 0),
    between(500, 493),
  ],
  sorts: ['-at', 'at'],
}

const cases: List = {
  name: 'identity',
  endpoint: listKycCases,
  filters: [
    { status: 'waiting' },
    { status: 'submitted' },
    { status: 'more_info' },
    { status: 'approved' },
    { status: 'rejected' },
    { status: 'expired' },
    { assignee: 'me' },
    { assignee: 'nobody' },
    { olderThanHours: 48 },
    { flag: 'possible_match' },
    { flag: 'refused_before' },
    { q: 'case4711@' },
    { q: 'case-4711' },
    { q: 'larsen' },
    { q: '娜' },
    { q: 'nobody' },
  ],
  sorts: [],
}

const posts: List = {
  name: 'newsroom',
  endpoint: listNewsroomPosts,
  filters: [
    { state: 'draft' },
    { state: 'published' },
    { state: 'deleted' },
    { language: 'en' },
    { missing: 'cn' },
    { q: 'upgrade' },
    { q: 'nothing' },
  ],
  sorts: [],
}

const applications: List = {
  name: 'ambassador applications',
  endpoint: listAmbassadorApplications,
  filters: [
    { status: 'open' },
    { status: 'received' },
    { status: 'declined' },
    { country: 'NO' },
    { country: 'nowhere' },
    { sentIn: 'cn' },
    { assignee: 'me' },
    { assignee: 'nobody' },
    { q: 'oslo' },
    { q: 'nobody at all' },
  ],
  sorts: ['-arrived', 'arrived', '-changed', 'changed'],
}

const versions: List = {
  name: 'history of the sale',
  endpoint: listSettingVersions,
  filters: [{ subject: 'app' }, { field: 'rate' }, { field: 'caps' }, { method: 'BTC' }, between(30, 0)],
  sorts: ['-at', 'at'],
}

export const lists: readonly List[] = [
  members,
  orders,
  deliveries,
  payouts,
  mails,
  { ...mails, name: 'mails (employee)', chair: 'employee' },
  record,
  cases,
  posts,
  applications,
  versions,
]

export const words = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
