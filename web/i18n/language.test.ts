import { describe, expect, test } from 'vitest'
import { choiceOf, isChineseAddress, prefersChinese, withoutPrefix, withPrefix } from './language.ts'

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

test.each([
  [['zh-CN', 'zh', 'en'], true],
  [['fr', 'zh-Hant-TW', 'en-US'], true],
  [['ZH'], true],
  [['en-US', 'zh-CN'], false],
  [['fr-FR', 'de'], false],
  [['zha', 'eng'], false],
  [[], false],
])('a browser that asks for %j prefers Chinese to English: %s', (tags, expected) => {
  expect(prefersChinese(tags)).toBe(expected)
})
