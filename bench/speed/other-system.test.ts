import { expect, test } from 'vitest'
import { requestsOf } from './other-system.ts'

const requestOf = requestsOf({
  list: '/api/posts?limit=20',
  create: { method: 'POST', path: '/api/posts', body: '{"title": "Post {n}"}' },
})

test('a path is asked as it is', () => {
  expect(requestOf('list')!(1)).toEqual({ path: '/api/posts?limit=20' })
})

test('a number is another one each time', () => {
  expect(requestOf('create')!(1).body).toBe('{"title": "Post 1"}')
  expect(requestOf('create')!(2).body).toBe('{"title": "Post 2"}')
})

test('what the other system does not have is not asked', () => {
  expect(requestOf('sign-in')).toBeUndefined()
})
