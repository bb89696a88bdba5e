import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restAfterTyping, retryAfter, TextKeeper, waitMax, type Keeping } from './text-keeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A keeper of texts with a server that answers as it is told. */
function aKeeper() {
  const sent: string[] = []
  const told: Keeping[] = []
  const server = { fails: null as 'unreached' | 'signedOut' | 'refused' | null, answers: Promise.resolve() }
  const keeper = new TextKeeper<string>({
    send: async (text) => {
      sent.push(text)
      await server.answers
      if (server.fails) throw new Error(server.fails)
      return { savedAt: `after ${text}` }
    },
    explain: (failure) => (failure as Error).message as 'unreached',
    onChange: (keeping) => void told.push(keeping),
  })
  /** The server answers nothing until what is returned is called. */
  function hold(): () => void {
    let answer = () => {}
    server.answers = new Promise((resolve) => (answer = resolve))
    return () => answer()
  }
  return { keeper, sent, server, hold, last: () => told.at(-1) }
}

test('a text is sent a moment after the last key, and once', async () => {
  const { keeper, sent, last } = aKeeper()
  keeper.note('a')
  await vi.advanceTimersByTimeAsync(restAfterTyping - 100)
  keeper.note('ab')
  await vi.advanceTimersByTimeAsync(restAfterTyping - 100)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toEqual(['ab'])
  expect(last()).toEqual({ state: 'kept', keptAt: 'after ab' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual(['ab'])
})

test('who never rests is kept all the same', async () => {
  const { keeper, sent } = aKeeper()
  for (let n = 0; n * 1000 <= waitMax; n += 1) {
    keeper.note(`text ${n}`)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(sent).toHaveLength(1)
})

test('without an answer it tries again, ever more seldom, until it gets one', async () => {
  const { keeper, sent, server, last } = aKeeper()
  server.fails = 'unreached'
  keeper.note('a')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(last()).toEqual({ state: 'hereOnly', why: 'unreached' })
  await vi.advanceTimersByTimeAsync(retryAfter[0])
  expect(sent).toHaveLength(2)
  keeper.note('ab')
  await vi.advanceTimersByTimeAsync(retryAfter[1] - 1)
  expect(sent).toHaveLength(2)
  server.fails = null
  await vi.advanceTimersByTimeAsync(1)
  expect(sent.at(-1)).toBe('ab')
  expect(last()).toEqual({ state: 'kept', keptAt: 'after ab' })
})

test('a text that is refused waits for the next change', async () => {
  const { keeper, sent, server, last } = aKeeper()
  server.fails = 'refused'
  keeper.note('far too long')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(sent).toHaveLength(1)
  expect(last()).toEqual({ state: 'hereOnly', why: 'refused' })
  server.fails = null
  keeper.note('shorter')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(last()).toEqual({ state: 'kept', keptAt: 'after shorter' })
})

test('what is typed while one text is under way follows it', async () => {
  const { keeper, sent, hold } = aKeeper()
  const answer = hold()
  keeper.note('a')
  keeper.flush()
  keeper.note('ab')
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a'])
  answer()
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a', 'ab'])
})

test('a keeper that is stopped lets nothing arrive after it, and can go on', async () => {
  const { keeper, sent, hold } = aKeeper()
  const answer = hold()
  keeper.note('a')
  keeper.flush()
  keeper.note('ab')
  let isStopped = false
  void keeper.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isStopped).toBe(false)
  answer()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isStopped).toBe(true)
  expect(sent).toEqual(['a'])
  keeper.goOn()
  await vi.advanceTimersByTimeAsync(restAfterTyping)
  expect(sent).toEqual(['a', 'ab'])
})

test('what is dropped is not sent', async () => {
  const { keeper, sent, last } = aKeeper()
  keeper.note('a')
  keeper.drop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(last()).toEqual({ state: 'nothing' })
})

test('with the page that closes goes what is not known to have arrived', async () => {
  const { keeper, sent, hold } = aKeeper()
  hold()
  keeper.note('a')
  keeper.flush()
  keeper.flush(true)
  expect(sent).toEqual(['a', 'a'])
})
