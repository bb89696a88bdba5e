import { expect, test } from 'vitest'
import { importsOf, sourcesIn, textOf } from './source-files.ts'

/** Other uses of the browser's storage. None of them stores typed input, which must go through `draftStore`. */
const others: Record<string, string> = {
  'web/kernel/call/app-config.ts': 'where the API is',
  'web/kernel/navigation/offer-language.ts': 'that Chinese was offered',
  'web/kernel/i18n/stored-language.ts': 'the chosen language',
  'web/kyc/phone/phone-memory.ts': 'what a phone proves itself with; no member is signed in there',
  'web/kernel/shortcuts/use-shortcuts.ts': 'whether keys are switched on',
  'web/orders/approximate.tsx': 'the currency in which amounts are also shown',
  'web/language-check.ts': 'that the page was loaded again',
  'web/kernel/navigation/navigation.ts': 'that a page was loaded whole',
  'web/kernel/navigation/commit-navigation.ts': 'that a page was loaded whole',
  'web/kernel/navigation/return-url.ts': 'the page that asked for a sign-in',
  'web/kernel/notices/flash-message.ts':
    'a notice for the next page, where the browser loads that as a whole',
  'web/kernel/navigation/scroll.ts': 'how far each page was scrolled',
  'web/kernel/session/keep-session.ts': 'when somebody last signed out',
}

const storage = 'web/kernel/state/browser-storage.ts'
const drafts = 'web/kernel/state/draft-store.ts'

test('what is typed is kept by draftStore alone, which signing out empties', () => {
  const users = sourcesIn('web').filter(
    (path) => importsOf(path).includes(storage) && /\bwriteItem\b/.test(textOf(path)),
  )
  expect(users.sort()).toEqual([drafts, ...Object.keys(others)].sort())
})

test('nobody goes to the storage of the browser but through one file', () => {
  const direct = sourcesIn('web').filter((path) =>
    /\b(session|local)Storage[.[]|indexedDB/.test(textOf(path)),
  )
  expect(direct.filter((path) => path !== storage)).toEqual([])
})
