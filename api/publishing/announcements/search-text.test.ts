import { expect, test } from 'vitest'
import { gramsOf, searchFor, searchTextOf, textOfHtml } from './search-text.ts'

test('the search text is what a reader sees', () => {
  expect(
    textOfHtml('<h2>Node</h2><p>3<strong>.</strong>2 &amp;lt; <em>4</em></p><img src="x" alt="no" />'),
  ).toBe('Node 3.2 &lt; 4')
})

test('normalizes full-width letters and capitals, and limits very long posts', () => {
  expect(searchTextOf('ＮＯＤＥ', '<p>Läuft</p>')).toBe('node läuft')
  expect(searchTextOf('t', `<p>${'𠀀'.repeat(30_000)}</p>`).isWellFormed()).toBe(true)
})

const finds = (query: string, text: string): boolean => {
  const search = searchFor(query)
  const searched = searchTextOf(text, '')
  const known = new Set(gramsOf(searched))
  return (
    search !== null &&
    search.grams.every((gram) => known.has(gram)) &&
    search.words.every((word) => searched.includes(word))
  )
}

test.each([
  ['节点', '全节点3.2版发布', true],
  ['链', '区块链', true],
  ['块链浏', '区块链浏览器', true],
  ['链块', '区块链', false],
  ['发布 节点', '节点已经发布', true],
  ['3.2', 'Node 3.2', true],
  ['NODE', 'full nodes', true],
  ['ode', 'full nodes', true],
  ['no', 'full nodes', true],
  ['de', 'full nodes', false],
  ['node wallet', 'full nodes', false],
  ['EUR钱包', '欧元EUR钱包', true],
  ['%', '100%', false],
])('%j in %j: %s', (query, text, isFound) => {
  expect(finds(query, text)).toBe(isFound)
})

test('an empty query is no search', () => {
  expect(searchFor(' …！ ')).toBeNull()
  expect(searchFor('a b c d e f g h i j k l')?.words).toHaveLength(10)
})
