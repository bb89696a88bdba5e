import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepDraftsOf } from '../../kernel/state/draft-store.ts'
import { newId, type Autosave } from './autosave.ts'
import { deleteTabCopy, tabCopy } from './tab-copy.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  })
  keepDraftsOf('m', 0)
})
afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

const text: Autosave = {
  title: 'A title',
  category: 'Events',
  language: 'en',
  content: '<p>Typed</p>',
  id: newId(),
  basedOn: null,
  savedAt: '2026-11-20T10:00:00.000Z',
}
const aPost = { postId: 'p', translationOf: null }
const aTranslation = { postId: null, translationOf: 'p' }
const aNewPost = { postId: null, translationOf: null }

test('text is found again in its form, by the member who typed it', () => {
  tabCopy(aPost, 'm').write(text)
  expect(tabCopy(aPost, 'm').read()).toEqual(text)
  expect(tabCopy(aPost, 'another').read()).toBeNull()
  expect(tabCopy(aPost, 'm', 'aside').read()).toBeNull()
  expect(tabCopy(aTranslation, 'm').read()).toBeNull()
  expect(tabCopy(aNewPost, 'm').read()).toBeNull()
  tabCopy(aPost, 'm').write(null)
  expect(stored.size).toBe(0)
})

test('text leaves this tab with its own autosave only', () => {
  const copy = tabCopy(aTranslation, 'm')
  copy.write(text)
  deleteTabCopy({ ...aNewPost, id: text.id }, 'm')
  deleteTabCopy({ ...aTranslation, id: newId() }, 'm')
  expect(copy.read()).toEqual(text)
  deleteTabCopy({ ...aTranslation, id: text.id }, 'm')
  expect(copy.read()).toBeNull()
})

test('unreadable data is no text', () => {
  stored.set('_draft:new', 'not JSON')
  expect(tabCopy(aNewPost, 'm').read()).toBeNull()
})

test("autosaves have their own IDs, in the server's format", () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(newId()).not.toBe(newId())
})
