import { expect, test } from 'vitest'
import { freeSlug, makeSlug } from './make-slug.ts'

test.each([
  ['Wallet 1.4 is here: pay in half the time', 'wallet-1-4-is-here-pay-in-half-the-time'],
  ['全节点 3.2 发布：首次同步', '全节点-3-2-发布-首次同步'],
  ['../../etc/passwd?x=<b>', 'etc-passwd-x-b'],
  ['！？', 'post'],
  ['ＮＯＤＥ', 'node'],
  ['a'.repeat(200), 'a'.repeat(80)],
  ['链'.repeat(200), '链'.repeat(30)],
])('%j has the address %j', (title, slug) => {
  expect(makeSlug(title)).toBe(slug)
})

test('an address that somebody has gets a number', () => {
  expect(freeSlug('a', new Set())).toBe('a')
  expect(freeSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3')
})
