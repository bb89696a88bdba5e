import { expect, test } from 'vitest'
import { newsroomAddress, newsroomViewOf, readEarlier, type NewsroomView } from './newsroom-address.ts'

const views: NewsroomView[] = [
  { name: 'list' },
  { name: 'unfinished' },
  { name: 'new' },
  { name: 'new', copy: 'c' },
  { name: 'edit', id: 'a/b' },
  { name: 'versions', id: 'x' },
  { name: 'translate', id: 'x' },
  { name: 'translate', id: 'x', copy: 'c' },
]

test.each(views)('the address of %o leads to it', (view) => {
  const url = new URL(newsroomAddress(view), 'https://coin.example')
  expect(url.pathname).toBe('/console/newsroom')
  expect(newsroomViewOf(url.searchParams)).toEqual(view)
})

test('the address of a list contains its filters', () => {
  expect(newsroomAddress({ name: 'list', filters: { state: 'draft', q: '节点 & more' } })).toBe(
    `/console/newsroom?${new URLSearchParams({ state: 'draft', q: '节点 & more' })}`,
  )
})

test.each(['', 'show=gossip', 'edit=', 'state=draft'])('%j shows the list', (query) => {
  expect(newsroomViewOf(new URLSearchParams(query))).toEqual({ name: 'list' })
})

test.each([
  ['show=drafts&q=testnet', { state: 'draft', q: 'testnet' }],
  ['show=due', { due: 'today' }],
  ['show=without-chinese', { missing: 'cn' }],
  ['show=trash', { state: 'deleted' }],
  ['show=gossip&state=draft', { state: 'draft' }],
])('the address %j of an earlier release has the same posts', (query, filters) => {
  const { show: _, ...read } = Object.fromEntries(readEarlier(new URLSearchParams(query)))
  expect(read).toEqual(filters)
})
