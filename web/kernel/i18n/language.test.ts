import { describe, expect, test } from 'vitest'
import { choiceOf, languageOfAddress, preferredOf, withoutPrefix, withPrefix } from './language.ts'

describe('a stored language', () => {
  test.each([
    [null, null],
    ['en', 'en'],
    ['cn', 'cn'],
    ['fr', 'en'],
    ['', 'en'],
    ['zh-Hans', 'en'],
  ])('parses %o as %o', (stored, language) => {
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
    expect(languageOfAddress(path)).toBe(isChinese ? 'cn' : null)
  })

  test.each(['/', '/news', '/legal/terms'])('%s gets its prefix and loses it again', (path) => {
    expect(languageOfAddress(withPrefix('cn', path))).toBe('cn')
    expect(withoutPrefix(withPrefix('cn', path))).toBe(path)
    expect(withPrefix('en', path)).toBe(path)
  })
})

test.each([
  [['zh-CN', 'zh', 'en'], 'cn'],
  [['fr', 'zh-Hant-TW', 'en-US'], 'cn'],
  [['ZH'], 'cn'],
  [['en-US', 'zh-CN'], 'en'],
  [['fr-FR', 'de'], null],
  [['zha', 'eng'], null],
  [[], null],
])("of the site's languages, a browser that asks for %j prefers %s", (tags, expected) => {
  expect(preferredOf(tags)).toBe(expected)
})
