import { expect, test } from 'vitest'
import { beginningOf } from './post-beginning.ts'
import { joinPosts } from './use-posts.ts'

const post = (_id: string, postedDate: string, title = '') => ({ _id, postedDate, title })

test('merges two pages into one list, newest first and without duplicates', () => {
  const first = [post('c', '2026-03-01'), post('b', '2026-02-01')]
  const second = [post('b', '2026-02-01'), post('a', '2026-01-01')]
  expect(joinPosts(first, second).map(({ _id }) => _id)).toEqual(['c', 'b', 'a'])
})

test('keeps the copy that was read later', () => {
  const [kept] = joinPosts([post('a', '2026-01-01', 'old')], [post('a', '2026-01-01', 'new')])
  expect(kept?.title).toBe('new')
})

test('the excerpt is text of whole characters, no longer than a preview shows', () => {
  expect(beginningOf('<h2>Out</h2><p>Version&nbsp;2 &lt;now&gt; &amp; then</p>')).toBe(
    'Out Version&nbsp;2 <now> & then',
  )
  const long = beginningOf(`<p>${'𠀀'.repeat(400)}</p>`)
  expect([...long]).toHaveLength(160)
  expect(long.isWellFormed()).toBe(true)
})
