import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeCachedBody } from './response-cache/cached-body.ts'
import type { CachedPage } from './response-cache/cached-pages.ts'
import { pagesInOutage, withNotice } from './built-pages.ts'

const news = { path: '/news', topic: 'announcements' }

function aSite() {
  const state = {
    awaySince: undefined as number | undefined,
    isHeard: true,
    status: 200,
    text: 'first',
  }
  let body = makeCachedBody('text/html', state.text)
  const pages = pagesInOutage(
    async (): Promise<CachedPage> => {
      if (state.status === 500) throw new Error('away')
      if (body.identity.toString() !== state.text) body = makeCachedBody('text/html', state.text)
      return { status: state.status, body }
    },
    {
      awaySince: () => state.awaySince,
      isHeard: () => state.isHeard,
      sentenceIn: () => 'notice',
      mark: (html, sentence) => `${sentence} ${html}`,
    },
  )
  const ask = async (place = news) => {
    const { status, body, isOld } = await pages.get(place, 'en', 'a client')
    return `${status}${isOld ? ' old' : ''} ${body.identity.toString()}`
  }
  return { state, pages, ask }
}

test('during a database outage the page is sent with a notice, and without it as soon as it is over', async () => {
  const { state, ask } = aSite()
  expect(await ask()).toBe('200 first')
  state.awaySince = performance.now()
  expect(await ask()).toBe('200 old notice first')
  state.awaySince = undefined
  expect(await ask()).toBe('200 first')
})

test.each([503, 500])(
  'a page that fails with %i during an outage is replaced by the previous one',
  async (status) => {
    const { state, ask } = aSite()
    await ask()
    Object.assign(state, { awaySince: performance.now(), status, text: 'nothing' })
    expect(await ask()).toBe('200 old notice first')
    const other = { path: '/news/other', topic: 'announcements' }
    if (status === 503) expect(await ask(other)).toBe('503 nothing')
    else await expect(ask(other)).rejects.toThrow('away')
  },
)

test('never sends a previous page while the database answers', async () => {
  const { state, ask } = aSite()
  await ask()
  Object.assign(state, { status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
})

test('pages with something retracted are never shown again; possibly changed ones are', async () => {
  const { state, pages, ask } = aSite()
  await ask()
  state.isHeard = false
  pages.forget('announcements')
  pages.forget('retractions')
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('200 old notice first')
  state.isHeard = true
  pages.forget('announcements')
  pages.forget('retractions')
  expect(await ask()).toBe('503 nothing')
})

test('a list without the newest post is shown in an outage that follows the publication at once', async () => {
  const { state, pages, ask } = aSite()
  const post = { path: '/news/a-post', topic: 'announcements', isOpen: true }
  await ask()
  await ask(post)
  state.text = 'second'
  pages.forget('announcements', true)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('200 old notice first')
  // The single post may be the one that changed.
  expect(await ask(post)).toBe('503 nothing')
})

test('a list that is still not rendered again a minute after a publication is not shown', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { state, pages, ask } = aSite()
  await ask()
  pages.forget('announcements', true)
  vi.advanceTimersByTime(61_000)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
})

test('a possibly changed page is shown for a minute, until it is rendered again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { state, pages, ask } = aSite()
  await ask()
  state.isHeard = false
  pages.forget('announcements')
  vi.advanceTimersByTime(61_000)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
  state.status = 500
  await expect(ask()).rejects.toThrow('away')

  Object.assign(state, { awaySince: undefined, status: 200, text: 'second' })
  await ask()
  vi.advanceTimersByTime(61_000)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('200 old notice second')
  vi.advanceTimersByTime(3_600_001)
  expect(await ask()).toBe('503 nothing')
})

test('does not keep search pages', async () => {
  const { state, ask } = aSite()
  const search = { path: '/news?search=coin', topic: 'announcements' }
  await ask(search)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask(search)).toBe('503 nothing')
})

test('a page that changed during rendering is not kept for an outage', async () => {
  const { state, pages, ask } = aSite()
  const asked = ask()
  pages.forget('announcements')
  expect(await asked).toBe('200 first')
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
})

test.each([404, 301])('a page that was answered with %i since then is never shown', async (status) => {
  const { state, ask } = aSite()
  await ask()
  state.status = status
  await ask()
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
})

test('a change made by this instance is certain, even without notifications', async () => {
  const { state, pages, ask } = aSite()
  await ask()
  state.isHeard = false
  pages.forget('retractions', true)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('503 nothing')
})

test('the hour for showing old pages starts with the outage, not with the first request', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { state, ask } = aSite()
  await ask()
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  vi.advanceTimersByTime(3_600_001)
  expect(await ask()).toBe('503 nothing')
})

test('a changed page is ready for an outage even if nobody requested it since', async () => {
  const { state, pages, ask } = aSite()
  await ask()
  state.text = 'second'
  pages.forget('announcements', true)
  await wait(600)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('200 old notice second')
})

test('a withdrawn post is not shown in an outage', async () => {
  const { state, pages, ask } = aSite()
  const post = { path: '/news/a-post', topic: 'announcements', isOpen: true }
  await ask(post)
  state.status = 404
  pages.forget('announcements', true)
  await wait(600)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask(post)).toBe('503 nothing')
})

test('a change during re-rendering triggers another one, and a failed page is retried after the next change', async () => {
  const { state, pages, ask } = aSite()
  await ask()
  // The database goes away before the page is rendered. When it comes back, everything is reported as possibly changed.
  state.awaySince = performance.now()
  state.status = 503
  pages.forget('announcements', true)
  await wait(400)
  Object.assign(state, { awaySince: undefined, status: 200, text: 'second' })
  pages.forget('ambassadors')
  await wait(100)
  state.text = 'third'
  pages.forget('announcements', true)
  await wait(800)
  Object.assign(state, { awaySince: performance.now(), status: 503, text: 'nothing' })
  expect(await ask()).toBe('200 old notice third')
})

test('during maintenance, pages have its notice and are not stored; pages of an outage keep theirs', async () => {
  const page = { status: 200, body: makeCachedBody('text/html', 'first') }
  const missing = { status: 404, body: makeCachedBody('text/html', 'missing') }
  let sentence: string | undefined = 'until 14:30'
  const answers = new Map<string, CachedPage>([
    ['/', page],
    ['/missing', missing],
    ['/old', { ...page, isOld: true }],
  ])
  const get = withNotice(
    async ({ path }) => answers.get(path)!,
    () => sentence,
    (html, notice) => `${notice} ${html}`,
  )
  const ask = async (path: string) => {
    const { body, isOld } = await get({ path, topic: null }, 'en', 'a client')
    return [body.identity.toString(), isOld]
  }
  expect(await ask('/')).toEqual(['until 14:30 first', true])
  expect(await ask('/missing')).toEqual(['missing', undefined])
  expect(await ask('/old')).toEqual(['first', true])
  sentence = 'until 15:00'
  expect(await ask('/')).toEqual(['until 15:00 first', true])
  sentence = undefined
  expect(await ask('/')).toEqual(['first', undefined])
})
