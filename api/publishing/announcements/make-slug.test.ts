import { expect, test } from 'vitest'
import { makeSlug } from './make-slug.ts'

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
