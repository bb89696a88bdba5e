// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { readWords } from '#contract/publishing/content.ts'
import { answering, callsOf, holding, unreachable } from '#tests/setup/stub-api.ts'
import type * as Loading from './load-messages.ts'
import type * as Known from './known-content.ts'

/** Simulates a browser with an empty cache. */
async function aBrowser(): Promise<typeof Loading & typeof Known> {
  vi.resetModules()
  const [loading, known] = await Promise.all([import('./load-messages.ts'), import('./known-content.ts')])
  return { ...loading, ...known }
}

const asked = () => callsOf(readWords).map(({ query }) => query)

beforeEach(() => answering(readWords, { words: { 'home.some': 'Some.' } }))

test('one request asks for all missing files, and none for loaded ones', async () => {
  const { keepMessages, loadMessages } = await aBrowser()
  keepMessages('en', ['layout'], { 'layout.some': 'There.' })
  const messages = await loadMessages('en', ['layout', 'home', 'video'])
  expect(messages).toEqual({ 'layout.some': 'There.', 'home.some': 'Some.' })
  expect(asked()).toEqual([{ language: 'en', files: 'home,video' }])
  expect(await loadMessages('en', ['video', 'home'])).toBe(messages)
  expect(callsOf(readWords)).toHaveLength(1)
})

test('each language has its own messages', async () => {
  const { loadMessages } = await aBrowser()
  await loadMessages('en', ['home'])
  await loadMessages('cn', ['home'])
  expect(asked()).toEqual([
    { language: 'en', files: 'home' },
    { language: 'cn', files: 'home' },
  ])
})

test('files in flight are not requested again', async () => {
  const { loadMessages } = await aBrowser()
  const release = holding(readWords, { words: { 'home.some': 'Some.' } })
  const first = loadMessages('en', ['home'])
  const second = loadMessages('en', ['home'])
  await vi.waitFor(() => expect(callsOf(readWords)).toHaveLength(1))
  release()
  expect(await second).toEqual(await first)
  expect(callsOf(readWords)).toHaveLength(1)
})

test('files that failed to load are requested again', async () => {
  const { loadMessages } = await aBrowser()
  unreachable(readWords)
  await expect(loadMessages('en', ['home'])).rejects.toThrow()
  answering(readWords, { words: { 'home.some': 'Some.' } })
  expect(await loadMessages('en', ['home'])).toEqual({ 'home.some': 'Some.' })
})
