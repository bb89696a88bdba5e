import { expect, test } from 'vitest'
import { caseOf, filterOf, pathToCase, pathToQueue, wholeQueue, type QueueFilter } from './review-address.ts'

const searchOf = (path: string) => new URL(path, 'http://localhost').searchParams

test('the whole queue has the plain address', () => {
  expect(pathToQueue(wholeQueue)).toBe('/console/identity')
  expect(filterOf(new URLSearchParams())).toEqual(wholeQueue)
})

test('a filter and an open case are restored from the address', () => {
  const filter: QueueFilter = {
    status: 'more_info',
    assignee: 'nobody',
    flag: 'possible_match',
    q: '王 & co',
    olderThanHours: 72,
  }
  const path = pathToCase('a/b', filter)
  expect(filterOf(searchOf(path))).toEqual(filter)
  expect(caseOf(searchOf(path))).toBe('a/b')
  expect(filterOf(searchOf(pathToQueue(filter)))).toEqual(filter)
  expect(caseOf(searchOf(pathToQueue(filter)))).toBeNull()
})

test('invalid parts of an address are ignored', () => {
  const search = new URLSearchParams({
    status: 'lost',
    assignee: 'x',
    flag: 'x',
    older: '25',
    q: 'x'.repeat(500),
  })
  expect(filterOf(search)).toEqual({ ...wholeQueue, q: 'x'.repeat(200) })
})
