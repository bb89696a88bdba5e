import { expect, test } from 'vitest'
import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { listPostAddresses, listPostAuthors } from '#contract/publishing/announcements.ts'
import { readFacts } from '#contract/publishing/content.ts'
import type { Call } from '../kernel/call/call.ts'
import { matchRoute } from '../kernel/routes/match-route.ts'
import { listPageAddresses } from './page-addresses.ts'

test('lists the addresses of posts, categories, authors, and ambassadors in both languages', async () => {
  const answers = new Map<unknown, unknown>([
    [listPostAddresses, [{ slug: 'sample news', language: 'en', changedAt: '' }]],
    [listPostAuthors, [{ slug: 'sample-author', name: 'Sample', languages: ['en'] }]],
    [listAmbassadors, [{ slug: 'sample-person' }]],
    [readFacts, { facts: { 'facts/ambassadors.json': [{ id: 'sample-of-the-list' }] } }],
  ])
  const call = (async (endpoint: unknown) => answers.get(endpoint)) as Call
  const all = await listPageAddresses(call)
  expect(all).toContain('/cn/news/category/technical-updates')
  for (const address of all) expect(matchRoute(address)).not.toBeNull()
  const addresses = all.filter((address) => !address.includes('/category/'))
  expect(addresses.toSorted()).toEqual([
    '/ambassadors/sample-of-the-list',
    '/ambassadors/sample-person',
    '/cn/ambassadors/sample-of-the-list',
    '/cn/ambassadors/sample-person',
    '/cn/news/author/sample-author',
    '/cn/news/sample%20news',
    '/news/author/sample-author',
    '/news/sample%20news',
  ])
  for (const address of addresses) expect(matchRoute(address)?.params['slug']).toMatch(/^sample/)
})
