import { expect, test } from 'vitest'
import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { listPostAddresses } from '#contract/publishing/announcements.ts'
import { readFacts } from '#contract/publishing/content.ts'
import type { Call } from '../kernel/call/call.ts'
import { matchRoute } from '../kernel/routes/match-route.ts'
import { listPageAddresses } from './page-addresses.ts'

test('lists posts and ambassadors at the addresses that readers request, in both languages', async () => {
  const answers = new Map<unknown, unknown>([
    [listPostAddresses, [{ slug: 'sample news', language: 'en', changedAt: '' }]],
    [listAmbassadors, [{ slug: 'sample-person' }]],
    [readFacts, { facts: { 'facts/ambassadors.json': [{ id: 'sample-of-the-list' }] } }],
  ])
  const call = (async (endpoint: unknown) => answers.get(endpoint)) as Call
  const addresses = await listPageAddresses(call)
  expect(addresses.toSorted()).toEqual([
    '/ambassadors/sample-of-the-list',
    '/ambassadors/sample-person',
    '/cn/ambassadors/sample-of-the-list',
    '/cn/ambassadors/sample-person',
    '/cn/news/sample%20news',
    '/news/sample%20news',
  ])
  for (const address of addresses) expect(matchRoute(address)?.params['slug']).toMatch(/^sample/)
})
