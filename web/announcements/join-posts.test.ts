import { expect, test } from 'vitest'
import { joinPosts } from './join-posts.ts'

const post = (_id: string, postedDate: string, title = '') => ({ _id, postedDate, title })

test('two pages become one list, newest first and without doubles', () => {
  const first = [post('c', '2026-03-01'), post('b', '2026-02-01')]
  const second = [post('b', '2026-02-01'), post('a', '2026-01-01')]
  expect(joinPosts(first, second).map(({ _id }) => _id)).toEqual(['c', 'b', 'a'])
})

test('the copy that was read later stays', () => {
  const [kept] = joinPosts([post('a', '2026-01-01', 'old')], [post('a', '2026-01-01', 'new')])
  expect(kept?.title).toBe('new')
})
