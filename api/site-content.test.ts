import { expect, test } from 'vitest'
import { ownBrand as brand } from '#tests/own-brand.ts'
import cn from '#content/messages/cn/home.json' with { type: 'json' }
import en from '#content/messages/en/home.json' with { type: 'json' }
import { readContentFiles } from './content-files.ts'
import { makeSiteContent } from './site-content.ts'

const [key] = Object.keys(en) as [keyof typeof en]

test('what was published lies over the files, key by key, in its language only', () => {
  const content = makeSiteContent()
  content.override(
    new Map([['messages/home', { en: { [key]: 'New.', 'home.unknown': 'Nobody knows it.' } }]]),
  )
  expect(content.words('en', 'home')).toEqual({ ...en, [key]: 'New.' })
  expect(content.words('cn', 'home')).toEqual(cn)
})

test('facts are replaced whole, the brand by its parts, and what is withdrawn is as the files say', () => {
  const content = makeSiteContent()
  const before = content.facts('facts/features.json')
  content.override(
    new Map<string, unknown>([
      ['facts/features.json', []],
      ['documents', []],
      ['brand.json', { phone: '+1 555 0199' }],
    ]),
  )
  expect(content.facts('facts/features.json')).toEqual([])
  expect(content.documents()).toEqual([])
  expect(content.brand()).toMatchObject({ phone: '+1 555 0199', email: brand.email })
  content.override(new Map())
  expect(content.facts('facts/features.json')).toBe(before)
  expect(content.brand().phone).toBe(brand.phone)
})

test('whoever listens finds the new content, also after the files were read anew', () => {
  let files = readContentFiles()
  const content = makeSiteContent(() => files)
  const heard: unknown[] = []
  content.onChange(() => heard.push(content.words('en', 'home')?.[key]))
  content.override(new Map([['messages/home', { en: { [key]: 'Published.' } }]]))
  content.override(new Map())
  const words = new Map(files.words).set('en', new Map([['home', { ...en, [key]: 'Saved.' }]]))
  files = { ...files, words }
  content.reread()
  expect(heard).toEqual(['Published.', en[key], 'Saved.'])
})

test('all words of a language are merged once, and again after a change', () => {
  const content = makeSiteContent()
  const before = content.allWords('en')
  expect(content.allWords('en')).toBe(before)
  content.override(new Map([['messages/home', { en: { [key]: 'Published.' } }]]))
  expect(content.allWords('en')[key]).toBe('Published.')
  expect(content.allWords('cn')[key]).toBe(cn[key])
})

test('there is no file of another name, whatever objects have', () => {
  const content = makeSiteContent()
  for (const file of ['constructor', '__proto__', '../brand', 'Home'])
    expect([content.words('en', file), content.facts(file)]).toEqual([undefined, undefined])
})
