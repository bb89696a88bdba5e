import { expect, test } from 'vitest'
import { afterLabel, matchWords } from './match-words.ts'

const titles = ['Webhooks', 'Add a webhook endpoint', 'Open or close the sale', 'Members', '开启或关闭销售']
const find = (words: string) => matchWords(titles, (title) => title, words)

test.each([
  ['open the sale', ['Open or close the sale']],
  ['memebrs', ['Members']],
  ['wehbook', ['Webhooks', 'Add a webhook endpoint']],
  ['销售', ['开启或关闭销售']],
  ['sale members', []],
])('%s finds %j', (words, found) => {
  expect(find(words)).toEqual(expect.arrayContaining(found))
  expect(find(words)).toHaveLength(found.length)
})

test.each([
  ['complete ABC-1A2B3', 'Complete order…', 'ABC-1A2B3'],
  ['Compl order  abc-1a2b3 ', 'Complete order…', 'abc-1a2b3'],
  ['完成 ABC-1A2B3', '完成订单…', 'ABC-1A2B3'],
])('%s is %s for %s', (typed, label, record) => {
  expect(afterLabel(typed, label)).toBe(record)
})

test.each(['cancel ABC-1A2B3', 'c ABC-1A2B3', 'co Miller', 'ABC-1A2B3', 'complete'])(
  '%s does not begin with “Complete order” and a record',
  (typed) => {
    expect(afterLabel(typed, 'Complete order…')).toBeUndefined()
  },
)
