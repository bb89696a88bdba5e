import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SignedIn } from '#contract/people/sessions.ts'
import { newId, type Autosave } from '../../announcements/autosaves/autosave.ts'
import { tabCopy } from '../../announcements/autosaves/tab-copy.ts'
import { kycDraft } from '../../kyc/kyc-form.tsx'
import { orderDraft, type OrderDraft } from '../../orders/placing/place-order.tsx'
import {
  beginSession,
  followOtherTabsSignOut,
  clearSession,
  declineReauthentication,
  clearAfterSignOut,
} from './keep-session.ts'
import { currentSession, departures } from './session.ts'
import { draftStore } from '../state/draft-store.ts'

/** As in a browser, stored items are own keys of the object. */
class Area {
  getItem(key: string): string | null {
    return (this as unknown as Record<string, string>)[key] ?? null
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value })
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

const page = { cookie: '', documentElement: { dataset: {} } }
const member = { id: 'm', token: 't', defaultMerchant: null } as SignedIn

const arriveAs = (answer: SignedIn) => {
  page.cookie = 'XSRF-TOKEN=x'
  beginSession(answer)
}

beforeEach(() => {
  vi.stubGlobal('window', { sessionStorage: new Area(), localStorage: new Area() })
  vi.stubGlobal('document', page)
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 })
  arriveAs(member)
})
afterEach(() => {
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const order = { key: 'k', expiresAt: 0, fabAddress: 'typed', isSent: false } as OrderDraft
const aNewPost = { postId: null, translationOf: null }
const text: Autosave = {
  title: 'typed',
  category: 'Events',
  language: 'en',
  content: '<p>typed</p>',
  id: newId(),
  basedOn: null,
  savedAt: '2026-11-20T10:00:00.000Z',
}

function typeEverything() {
  const blank = { country: '', dateOfBirth: '', ethAddress: '', btcAddress: '' }
  kycDraft('m').write({ firstName: 'typed', email: 'a@b.example', ...blank })
  orderDraft('m').write(order)
  tabCopy(aNewPost, 'm').write(text)
  tabCopy({ ...aNewPost, postId: 'p' }, 'm', 'aside').write(text)
  draftStore('m', 'of a page to come').write('typed')
}
const everythingTyped = () => [
  kycDraft('m').read(),
  orderDraft('m').read(),
  tabCopy(aNewPost, 'm').read(),
  tabCopy({ ...aNewPost, postId: 'p' }, 'm', 'aside').read(),
  draftStore('m', 'of a page to come').read(),
]
const keptWords = () => JSON.stringify({ ...window.sessionStorage, ...window.localStorage })

test("a member's input survives a reload", () => {
  typeEverything()
  expect(everythingTyped()).toEqual([
    expect.objectContaining({ firstName: 'typed' }),
    order,
    text,
    text,
    'typed',
  ])
})

test.each<[string, () => unknown]>([
  ['here, or with the account', clearSession],
  ['by not signing in again', declineReauthentication],
  [
    'in another tab',
    () => {
      page.cookie = ''
      window.localStorage.setItem('_leftAt', '2000')
      followOtherTabsSignOut()
    },
  ],
  ['by somebody else signing in', () => arriveAs({ ...member, id: 'another' })],
])('no input survives the end of a session: %s', (_, end) => {
  typeEverything()
  expect(keptWords()).toContain('typed')
  end()
  expect(currentSession().member?.id).not.toBe('m')
  expect(everythingTyped()).toEqual([null, null, null, null, null])
  expect(keptWords()).not.toContain('typed')
})

test.each<[string, () => unknown, number]>([
  [
    'ends by a sign-out in another tab',
    () => {
      page.cookie = ''
      window.localStorage.setItem('_leftAt', '2000')
      followOtherTabsSignOut()
    },
    1,
  ],
  [
    'ends by a sign-out in another tab, where somebody has signed in since',
    () => {
      window.localStorage.setItem('_leftAt', '2000')
      followOtherTabsSignOut()
    },
    1,
  ],
  ['ends by signing out here', clearAfterSignOut, 1],
  ['ends by not signing in again', declineReauthentication, 1],
  ['becomes that of somebody else', () => arriveAs({ ...member, id: 'another' }), 1],
  ['goes on with a new token', () => arriveAs(member), 0],
])('an open page resets without its input when the session %s', (_, end, times) => {
  arriveAs(member)
  const before = departures.get()
  end()
  expect(departures.get() - before).toBe(times)
})

test("drafts kept for a member's return are removed when they sign out in another tab", async () => {
  typeEverything()
  const reloaded = await reloadWithoutSession()
  expect(keptWords()).toContain('typed')
  window.localStorage.setItem('_leftAt', '2000')
  reloaded.followOtherTabsSignOut()
  expect(keptWords()).not.toContain('typed')
})

/** Reloads the page in the same tab after the session's cookies have expired. */
async function reloadWithoutSession() {
  page.cookie = ''
  vi.resetModules()
  const reloaded = { ...(await import('./session.ts')), ...(await import('./keep-session.ts')) }
  await reloaded.resolvedSession()
  expect(reloaded.currentSession().state).toBe('signedOut')
  return reloaded
}

test('an expired session keeps input for the return of its member, except identity data', async () => {
  typeEverything()
  const reloaded = await reloadWithoutSession()
  expect(everythingTyped()).toEqual([null, order, text, text, 'typed'])
  reloaded.beginSession(member)
  expect(everythingTyped()).toEqual([null, order, text, text, 'typed'])
})

test('drafts kept after a session expired are not available to another member', async () => {
  typeEverything()
  const reloaded = await reloadWithoutSession()
  reloaded.beginSession({ ...member, id: 'another' })
  expect(keptWords()).not.toContain('typed')
})

test.each([
  ['stays signed out', null],
  ['signs in again', member],
])('a page loaded after a sign-out in another tab keeps nothing: its member %s', async (_, next) => {
  typeEverything()
  window.localStorage.setItem('_leftAt', '2000')
  const reloaded = await reloadWithoutSession()
  if (next) reloaded.beginSession(next)
  expect(keptWords()).not.toContain('typed')
})

test('a late write for a signed-out member is discarded', () => {
  clearSession()
  typeEverything()
  expect(keptWords()).not.toContain('typed')
})

test("a visitor's input is kept, and removed when someone signs in", () => {
  clearSession()
  draftStore(null, 'email').write('typed')
  clearSession()
  expect(draftStore(null, 'email').read()).toBe('typed')
  arriveAs(member)
  expect(keptWords()).not.toContain('typed')
})

test('drafts are separate per member and name; an unreadable one counts as empty', () => {
  draftStore('m', 'one').write({ of: 'one' })
  expect(draftStore('m', 'two').read()).toBeNull()
  expect(draftStore('another', 'one').read()).toBeNull()
  window.sessionStorage.setItem('_draft:one', 'not JSON')
  expect(draftStore('m', 'one').read()).toBeNull()
})
