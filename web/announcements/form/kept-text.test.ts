import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetKeptText, keepText, newCopyId, readKeptText, type KeptText } from './kept-text.ts'

const stored = new Map<string, string>()
beforeEach(() =>
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  }),
)
afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

const text: KeptText = {
  title: 'A title',
  category: 'Events',
  language: 'en',
  content: '<p>Typed</p>',
  copyId: newCopyId(),
  basedOn: null,
  savedAt: '2026-11-20T10:00:00.000Z',
}

test('a text is found again at its place, by who typed it', () => {
  keepText({ kind: 'post', postId: 'p' }, 'm', text)
  expect(readKeptText({ kind: 'post', postId: 'p' }, 'm')).toEqual(text)
  expect(readKeptText({ kind: 'post', postId: 'p' }, 'another')).toBeNull()
  expect(readKeptText({ kind: 'translation', postId: 'p' }, 'm')).toBeNull()
  expect(readKeptText({ kind: 'new' }, 'm')).toBeNull()
  keepText({ kind: 'post', postId: 'p' }, 'm', null)
  expect(stored.size).toBe(0)
})

test('a text goes from this tab with its copy, and not with another one', () => {
  const place = { kind: 'translation', postId: 'p' } as const
  keepText(place, 'm', text)
  const copy = { id: text.copyId, postId: null, translationOf: 'p' }
  forgetKeptText({ ...copy, translationOf: null }, 'm')
  forgetKeptText({ ...copy, id: newCopyId() }, 'm')
  expect(readKeptText(place, 'm')).toEqual(text)
  forgetKeptText(copy, 'm')
  expect(readKeptText(place, 'm')).toBeNull()
})

test('what cannot be read is no text', () => {
  stored.set('_draft:new', 'not JSON')
  expect(readKeptText({ kind: 'new' }, 'm')).toBeNull()
})

test('copies have names of their own, in the form that the server takes', () => {
  expect(newCopyId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(newCopyId()).not.toBe(newCopyId())
})
