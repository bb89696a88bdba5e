import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SignedIn } from '#contract/people/sessions.ts'
import { beginSession, clearSession } from '../../kernel/session/keep-session.ts'
import type { Autosave } from './autosave.ts'
import { performAs } from './use-autosave.ts'
import type { Effect } from './autosave.reducer.ts'

const sent: Record<string, unknown>[] = []
let answer: () => Promise<Response>

beforeEach(() => {
  const storage = { getItem: () => '/v2/', setItem: () => {}, removeItem: () => {} }
  vi.stubGlobal('window', { sessionStorage: storage, localStorage: storage })
  vi.stubGlobal('document', { cookie: '', documentElement: { dataset: {} } })
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse((body as string | undefined) ?? '{}') as Record<string, unknown>)
    return answer()
  })
  beginSession({ id: 'm', token: 't', defaultMerchant: null } as SignedIn)
  sent.length = 0
})
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

const autosave: Autosave = {
  title: 'A title',
  category: '',
  language: 'en',
  content: '<p>Typed</p>',
  id: 'i',
  basedOn: null,
  savedAt: '2026-11-20T10:00:00.000Z',
}
const aPost = { postId: 'p', translationOf: null }
const send: Effect = { do: 'send', autosave, isLast: false }
const perform = (effect: Effect, memberId = 'm') => performAs(memberId, aPost, () => {})(effect)
const refusal = (status: number, code: string) => () =>
  Promise.resolve(Response.json({ code, message: 'No.' }, { status }))

test('stores a text with its post, and a displaced text without it', async () => {
  answer = () => Promise.resolve(Response.json({ id: 'i', savedAt: 'ten' }))
  expect(await perform(send)).toEqual({ type: 'sent', autosave, storedAt: 'ten' })
  await perform({ do: 'setAside', autosave })
  expect(sent).toMatchObject([
    { id: 'i', title: 'A title', postId: 'p' },
    { id: 'i', postId: null },
  ])
})

test.each([
  ['refused', refusal(400, 'validation_failed')],
  ['refused', refusal(404, 'not_found')],
  ['refused', refusal(413, 'payload_too_large')],
  ['signedOut', refusal(401, 'unauthenticated')],
  ['signedOut', refusal(403, 'forbidden')],
  ['unreached', refusal(429, 'rate_limited')],
  ['unreached', refusal(503, 'unavailable')],
  ['unreached', () => Promise.reject(new TypeError('offline'))],
] as const)('a text that did not arrive says why: %s', async (why, fails) => {
  answer = fails
  expect(await perform(send)).toEqual({ type: 'notSent', autosave, why })
})

test('text queued in a page is not stored for the next member who signs in', async () => {
  expect(await perform(send, 'another')).toEqual({ type: 'notSent', autosave, why: 'signedOut' })
  await perform({ do: 'setAside', autosave }, 'another')
  await perform({ do: 'drop', id: 'i' }, 'another')
  expect(sent).toEqual([])
})
