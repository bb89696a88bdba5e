import { expect, test } from 'vitest'
import { ownBrand as brand } from '#tests/own-brand.ts'
import cn from '#content/messages/cn/home.json' with { type: 'json' }
import en from '#content/messages/en/home.json' with { type: 'json' }
import { readContentFiles } from './content-files.ts'
import { makeSiteContent } from './site-content.ts'

const [key] = Object.keys(en) as [keyof typeof en]

test('published texts override the files key by key, only in their language', () => {
  const content = makeSiteContent()
  content.override(
    new Map([['messages/home', { en: { [key]: 'New.', 'home.unknown': 'Nobody knows it.' } }]]),
  )
  expect(content.words('en', 'home')).toEqual({ ...en, [key]: 'New.' })
  expect(content.words('cn', 'home')).toEqual(cn)
})

test('replaces data as a whole and the brand by parts, and falls back to the files', () => {
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

test('notifies listeners of new content, also after the files were read again', () => {
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

test('merges all texts of a language once, and again after a change', () => {
  const content = makeSiteContent()
  const before = content.allWords('en')
  expect(content.allWords('en')).toBe(before)
  content.override(new Map([['messages/home', { en: { [key]: 'Published.' } }]]))
  expect(content.allWords('en')[key]).toBe('Published.')
  expect(content.allWords('cn')[key]).toBe(cn[key])
})

test('has no file with the name of an object property', () => {
  const content = makeSiteContent()
  for (const file of ['constructor', '__proto__', '../brand', 'Home'])
    expect([content.words('en', file), content.facts(file)]).toEqual([undefined, undefined])
})
