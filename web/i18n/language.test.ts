import { describe, expect, test } from 'vitest'
import { choiceOf, isChineseAddress, withoutPrefix, withPrefix } from './language.ts'

describe('a stored language', () => {
  test.each([
    [null, null],
    ['en', 'en'],
    ['cn', 'cn'],
    ['fr', 'en'],
    ['', 'en'],
    ['zh-Hans', 'en'],
  ])('%o means %o', (stored, language) => {
    expect(choiceOf(stored)).toBe(language)
  })
})

describe('a Chinese address', () => {
  test.each([
    ['/cn', true],
    ['/cn/', true],
    ['/cn/news', true],
    ['/cnn', false],
    ['/news/cn', false],
  ])('%s: %s', (path, isChinese) => {
    expect(isChineseAddress(path)).toBe(isChinese)
  })

  test.each(['/', '/news', '/legal/terms'])('is %s with a prefix and loses it again', (path) => {
    expect(isChineseAddress(withPrefix(path))).toBe(true)
    expect(withoutPrefix(withPrefix(path))).toBe(path)
  })
})
