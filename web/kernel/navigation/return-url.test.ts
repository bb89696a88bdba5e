import { expect, test } from 'vitest'
import { safePath } from './return-url.ts'

const origin = 'https://coin.example'

test.each(['/', '/account/user-info', '/login/change-password/1/a%2Fb', '/news?page=2#top'])(
  'accepts %s as a path of the site',
  (path) => {
    expect(safePath(path, origin)).toBe(path)
  },
)

test.each([
  null,
  '',
  'news',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\\/evil.example',
  '//\\evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
])('rejects %o as leading elsewhere', (path) => {
  expect(safePath(path, origin)).toBeNull()
})
