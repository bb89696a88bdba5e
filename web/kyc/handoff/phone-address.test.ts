import { expect, test } from 'vitest'
import { linkIn } from './phone-address.ts'

test('a link is 43 characters after the hash, and nothing else', () => {
  const link = `${'aZ0-_'.repeat(8)}xyz`
  expect(linkIn(`#${link}`)).toBe(link)
  for (const hash of ['', '#', `#${link}x`, `#${link.slice(1)}`, `#${link.slice(1)}!`, '#main', link])
    expect(linkIn(hash)).toBeNull()
})
