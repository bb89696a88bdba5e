import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  begin,
  restAfterTyping,
  retryAfter,
  statusOf,
  waitMax,
  type Event,
  type NotSent,
} from './autosave.reducer.ts'
import { createAutosaver } from './autosaver.ts'
import type { Autosave, PostText } from './autosave.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const blank: PostText = { title: '', category: '', language: 'en', content: '' }

/** An autosaver with a stubbed server. */
function anAutosaver() {
  const sent: string[] = []
  const dropped: string[] = []
  const server = { fails: null as NotSent | null, answers: Promise.resolve() }
  const place = { postId: null, translationOf: null }
  const state = begin(place, { draft: blank, lastEdited: null }, { mine: null, aside: null }, Date.now())
  async function answer(autosave: Autosave): Promise<Event> {
    sent.push(autosave.title)
    await server.answers
    if (server.fails) return { type: 'notSent', autosave, why: server.fails }
    return { type: 'sent', autosave, storedAt: `after ${autosave.title}` }
  }
  const saver = createAutosaver(state, (effect) => {
    if (effect.do === 'drop') dropped.push(effect.id)
    return effect.do === 'send' ? answer(effect.autosave) : undefined
  })
  /** The server does not respond until the returned function is called. */
  function hold(): () => void {
    let answer = () => {}
    server.answers = new Promise((resolve) => (answer = resolve))
    return () => answer()
  }
  return {
    saver,
    sent,
    dropped,
    server,
    hold,
    type: (title: string) => saver.dispatch({ type: 'typed', draft: { ...blank, title } }),
    flush: (isLast = false) => saver.dispatch({ type: 'flush', isLast }),
    status: () => statusOf(saver.read()),
  }
}

test('text is sent shortly after the last key, and once', async () => {
  const { type, sent, status } = anAutosaver()
  type('a')
  await vi.advanceTimersByTimeAsync(restAfterTyping - 100)
  type('ab')
  await vi.advanceTimersByTimeAsync(restAfterTyping - 100)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toEqual(['ab'])
  expect(status()).toEqual({ state: 'stored', storedAt: 'after ab' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual(['ab'])
})

test('continuous typing is saved too', async () => {
  const { type, sent } = anAutosaver()
  for (let n = 0; n * 1000 <= waitMax; n += 1) {
    type(`text ${n}`)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(sent).toHaveLength(1)
})

test('without an answer, retries with increasing delays until there is one', async () => {
  const { type, sent, server, status } = anAutosaver()
  server.fails = 'unreached'
  type('a')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(status()).toEqual({ state: 'hereOnly', why: 'unreached' })
  await vi.advanceTimersByTimeAsync(retryAfter[0])
  expect(sent).toHaveLength(2)
  type('ab')
  await vi.advanceTimersByTimeAsync(retryAfter[1] - 1)
  expect(sent).toHaveLength(2)
  server.fails = null
  await vi.advanceTimersByTimeAsync(1)
  expect(sent.at(-1)).toBe('ab')
  expect(status()).toEqual({ state: 'stored', storedAt: 'after ab' })
})

test('refused text waits for the next change', async () => {
  const { type, sent, server, status } = anAutosaver()
  server.fails = 'refused'
  type('far too long')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sent).toHaveLength(1)
  expect(status()).toEqual({ state: 'hereOnly', why: 'refused' })
  server.fails = null
  type('shorter')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(status()).toEqual({ state: 'stored', storedAt: 'after shorter' })
})

test('text typed during a request is sent after it', async () => {
  const { type, flush, sent, hold } = anAutosaver()
  const answer = hold()
  type('a')
  flush()
  type('ab')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a'])
  answer()
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a', 'ab'])
})

test('text typed while another one is refused is sent', async () => {
  const { type, flush, sent, server, hold } = anAutosaver()
  const answer = hold()
  type('far too long')
  flush()
  server.fails = 'refused'
  type('shorter')
  answer()
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['far too long', 'shorter'])
})

test('while a post is being saved no autosave follows it, and a failed save resumes autosaving', async () => {
  const { saver, type, flush, sent, hold } = anAutosaver()
  const answer = hold()
  type('a')
  flush()
  type('ab')
  let isSettled = false
  saver.dispatch({ type: 'saving' })
  void saver.settled().then(() => (isSettled = true))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isSettled).toBe(false)
  answer()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isSettled).toBe(true)
  expect(sent).toEqual(['a'])
  saver.dispatch({ type: 'saveFailed' })
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a', 'ab'])
})

test('discarded text is not sent', async () => {
  const { saver, type, sent, dropped, status } = anAutosaver()
  type('a')
  saver.dispatch({ type: 'discard' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(dropped).toHaveLength(1)
  expect(status()).toEqual({ state: 'nothing' })
})

test('discarded text is deleted once it has arrived', async () => {
  const { saver, type, flush, dropped, hold } = anAutosaver()
  const answer = hold()
  type('a')
  flush()
  saver.dispatch({ type: 'close', isCancelled: true })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(dropped).toEqual([])
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(dropped).toHaveLength(1)
})

test('a closing page sends text that may not have arrived', () => {
  const { type, flush, sent, hold } = anAutosaver()
  hold()
  type('a')
  flush()
  flush(true)
  expect(sent).toEqual(['a', 'a'])
})
