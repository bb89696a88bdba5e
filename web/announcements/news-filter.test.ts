import { expect, test } from 'vitest'
import { filterAddress, isFiltered, readFilter } from './news-filter.ts'

test.each([
  ['', { category: null, q: '', page: 1 }],
  [
    'category=technical-updates&page=3&q=%E8%8A%82%E7%82%B9',
    { category: 'Technical Updates', q: '节点', page: 3 },
  ],
  ['category=gossip&page=0', { category: null, q: '', page: 1 }],
  ['page=2.5', { category: null, q: '', page: 1 }],
  ['page=9999999', { category: null, q: '', page: 1 }],
  ['q=%00a%0Ab', { category: null, q: 'a b', page: 1 }],
  [`q=${'x'.repeat(300)}`, { category: null, q: 'x'.repeat(100), page: 1 }],
])('the query %j selects %o', (query, filter) => {
  expect(readFilter(new URLSearchParams(query))).toEqual(filter)
})

test('an address selects what it was built from', () => {
  const filter = { category: 'Events', q: '节点 & more', page: 2 }
  expect(readFilter(new URLSearchParams(filterAddress(filter)))).toEqual(filter)
  expect(filterAddress({ category: null, q: '', page: 1 })).toBe('?')
})

test('a later page alone is not a selection', () => {
  expect(isFiltered({ category: null, q: '', page: 4 })).toBe(false)
  expect(isFiltered({ category: null, q: 'x', page: 1 })).toBe(true)
})
