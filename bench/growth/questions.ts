import { modules } from '../../api/app.ts'
import type { CleanUp, Module } from '#api/platform/module.ts'
import {
  browseAnnouncements,
  getPost,
  listAnnouncements,
  listPostAddresses,
} from '../../contract/publishing/announcements.ts'
import { listConsoleMembers } from '../../contract/people/console-members.ts'
import { listConsoleOrders } from '../../contract/money/console-orders.ts'
import type { Endpoint } from '../../contract/platform/endpoint.ts'
import { findKyc } from '../../contract/people/kyc.ts'
import { listKycCases } from '../../contract/people/kyc-review.ts'
import { findMembers, getMember } from '../../contract/people/members.ts'
import { listSubscribers } from '../../contract/publishing/newsletter.ts'
import { findOrders } from '../../contract/money/orders.ts'
import { exportMember } from '../../contract/people/privacy.ts'
import { aMemberId, type Chair } from '../installation/front-door.ts'

/** An API request or a housekeeping step. */
export type Question =
  | { name: string; endpoint: Endpoint; query?: object; body?: object; params?: object; chair: Chair }
  | { name: string; step: CleanUp }

const searches = ['anna', 'an', '娜', 'hemlock', 'li.na larsen', 'nobody at all']
const ethAddress = (seed: string) => `0x${seed.repeat(40).slice(0, 40)}`

const browse = (q: string, lang: 'en' | 'cn'): Question => ({
  name: `news: search ${q}`,
  endpoint: browseAnnouncements,
  params: { lang },
  query: { q },
  chair: 'stranger',
})

/** The steps that look for erased members, and all others together, as housekeeping runs them. */
const stepsOfErased = ['ordersOfErased', 'documentsOfErased', 'fingerprintsPast', 'consentsOfErased']

const steps = (): Question[] =>
  (modules as readonly Module[]).flatMap(({ cleanUp = {} }) =>
    Object.entries(cleanUp).map(([name, step]) => ({
      name: `house-keeping: ${name}${stepsOfErased.includes(name) ? ' (looks for erased members)' : ''}`,
      step,
    })),
  )

/** Requests that were found to grow with the number of rows, and those that are sent most often. */
export const questions = (): readonly Question[] => [
  { name: 'own profile', endpoint: getMember, params: { id: aMemberId }, chair: 'member' },
  { name: 'export of a member', endpoint: exportMember, chair: 'member' },
  ...searches.map((q): Question => ({
    name: `members: search ${q}`,
    endpoint: findMembers,
    body: { q },
    chair: 'administrator',
  })),
  ...searches.map((q): Question => ({
    name: `console, members: search ${q}`,
    endpoint: listConsoleMembers,
    query: { q },
    chair: 'administrator',
  })),
  {
    name: 'members: display name without a hit',
    endpoint: findMembers,
    body: { displayName: 'Nobody' },
    chair: 'administrator',
  },
  {
    name: 'members: administrators',
    endpoint: findMembers,
    body: { isWriteAccessAdmin: true },
    chair: 'administrator',
  },
  {
    name: 'members: not active',
    endpoint: findMembers,
    body: { active: false },
    chair: 'administrator',
  },
  {
    name: 'orders: by Ethereum address',
    endpoint: findOrders,
    body: { ethAddress: ethAddress('5e') },
    chair: 'administrator',
  },
  {
    name: 'console, orders: search of a transaction',
    endpoint: listConsoleOrders,
    query: { q: 'ab'.repeat(32) },
    chair: 'administrator',
  },
  {
    name: 'identities: by Ethereum address',
    endpoint: findKyc,
    body: { ETHadd: ethAddress('5e') },
    chair: 'administrator',
  },
  ...['larsen', '李', 'nobody'].map((q): Question => ({
    name: `review queue: search ${q}`,
    endpoint: listKycCases,
    query: { q },
    chair: 'administrator',
  })),
  {
    name: 'news: list of 20',
    endpoint: listAnnouncements,
    params: { lang: 'en' },
    query: { limit: 20 },
    chair: 'stranger',
  },
  {
    name: 'news: last page',
    endpoint: browseAnnouncements,
    params: { lang: 'en' },
    query: { page: 1000 },
    chair: 'stranger',
  },
  {
    name: 'news: one post',
    endpoint: getPost,
    params: { lang: 'en', slug: 'post-51' },
    chair: 'stranger',
  },
  browse('network', 'en'),
  browse('node release', 'en'),
  browse('no', 'en'),
  browse('hemlock', 'en'),
  browse('区块', 'cn'),
  browse('区', 'cn'),
  browse('稀见词', 'cn'),
  browse('not there', 'en'),
  { name: 'console, subscribers', endpoint: listSubscribers, chair: 'administrator' },
  {
    name: 'console, subscribers: beginning of an address',
    endpoint: listSubscribers,
    query: { email: 'reader-1' },
    chair: 'administrator',
  },
  { name: 'news: all addresses', endpoint: listPostAddresses, chair: 'stranger' },
  ...steps(),
]
