import { expect, test } from 'vitest'
import { caseOf, pathToCase, pathToQueue } from './review-address.ts'

const searchOf = (path: string) => new URL(path, 'http://localhost').searchParams

test('the whole queue has the plain address', () => {
  expect(pathToQueue()).toBe('/console/identity')
})

test('the address of a case contains its queue, and leads back to it', () => {
  const queue = new URLSearchParams({ status: 'more_info', q: '王 & co', after: 'x', page: '2' })
  const search = searchOf(pathToCase('a/b', queue))
  expect(caseOf(search)).toBe('a/b')
  expect(caseOf(searchOf(pathToCase('c', search)))).toBe('c')
  expect(pathToQueue(search)).toBe(pathToQueue(queue))
  expect(caseOf(searchOf(pathToQueue(search)))).toBeNull()
})
