import { expect, test } from 'vitest'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { comparePosts, compareWords } from './differences.ts'

const own = (words: { text: string; isOwn: boolean }[] | undefined) =>
  words?.filter(({ isOwn }) => isOwn).map(({ text }) => text)

test('separates words of one side from common words', () => {
  const found = compareWords('The network opens on Monday', 'The test network opens on Friday')
  expect(own(found?.before)).toEqual(['Monday'])
  expect(own(found?.after)).toEqual(['test ', 'Friday'])
  expect(found?.before.map(({ text }) => text).join('')).toBe('The network opens on Monday')
  expect(found?.after.map(({ text }) => text).join('')).toBe('The test network opens on Friday')
})

test('compares Chinese by words, too', () => {
  const found = compareWords('主网将于周一上线', '主网将于周五上线')
  expect(own(found?.before)?.join('')).toContain('一')
  expect(own(found?.after)?.join('')).toContain('五')
  expect(own(found?.after)?.join('')).not.toContain('上线')
})

test('texts with nothing in common are not split into words', () => {
  expect(compareWords('one two', 'three four')).toBeNull()
})

test('compares a post by blocks: same, changed, removed, and added', () => {
  const lines = comparePosts(
    '<p>Stays</p><p>Changes a little</p><p>Goes away whole</p>',
    '<p>Stays</p><p>Changes a lot</p><p>Stays</p>',
  )
  expect(lines[0]).toEqual({ same: true, kind: 'text', text: 'Stays' })
  expect(lines).toHaveLength(3)
  const [, changed, other] = lines
  if (changed?.same !== false || other?.same !== false) throw new Error('two lines have changed')
  expect(own(changed.before?.words)).toEqual(['little'])
  expect(own(changed.after?.words)).toEqual(['lot'])
  expect(own(other.after?.words)).toEqual(['Stays'])
})

test('a removed block has no counterpart', () => {
  expect(comparePosts('<p>a</p><p>b</p>', '<p>a</p>')[1]).toMatchObject({ same: false, after: null })
  expect(comparePosts('', '<p>b</p>')).toMatchObject([{ same: false, before: null }])
})

test('reports a change of formatting alone', () => {
  expect(comparePosts('<p>word</p>', '<p><em>word</em></p>')).toMatchObject([
    { same: false, isStyleOnly: true },
  ])
  expect(comparePosts('<p>word</p>', '<p>word</p>')).toMatchObject([{ same: true }])
})

test('two long texts with nothing in common are compared quickly', async () => {
  const long = (word: string) => `<p>${Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(' ')}</p>`
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `<p>${word}${n}</p>`).join('')
  const took = await processorTimeOf(() => {
    expect(comparePosts(long('a'), long('b'))).toHaveLength(1)
    expect(comparePosts(lines('a'), lines('b'))).toHaveLength(20_000)
  })
  expect(took).toBeLessThan(10_000)
})
