import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['copies', { writeText: async () => {} }, true],
  ['was not allowed to copy', { writeText: () => Promise.reject(new Error('NotAllowedError')) }, false],
  ['has no clipboard, because the page is not served securely', undefined, false],
])('the browser %s', async (_, clipboard, isCopied) => {
  vi.stubGlobal('navigator', { clipboard })
  expect(await copyText('text')).toBe(isCopied)
})
