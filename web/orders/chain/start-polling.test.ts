// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { startPolling, type Polling } from './start-polling.ts'

let looking: Polling
let isNews = false
const poll = vi.fn<(isTold: boolean) => Promise<boolean>>(async () => isNews)
const onRest = vi.fn<(isResting: boolean) => void>()
const pass = (time: number) => vi.advanceTimersByTimeAsync(time)
const turn = (isHidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  isNews = false
  poll.mockClear()
  onRest.mockClear()
  looking = startPolling({ poll, onRest })
})
afterEach(() => {
  looking.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('polls less often while nothing changes, and as often as at first after a change', async () => {
  await pass(9 * SECOND)
  expect(poll).not.toHaveBeenCalled()
  await pass(SECOND)
  expect(poll).toHaveBeenCalledOnce()
  await pass(14 * SECOND)
  expect(poll).toHaveBeenCalledOnce()
  await pass(10 * MINUTE)
  const before = poll.mock.calls.length
  await pass(10 * MINUTE)
  expect(poll.mock.calls.length - before).toBe(5)
  isNews = true
  await pass(2 * MINUTE)
  const after = poll.mock.calls.length
  await pass(MINUTE)
  expect(poll.mock.calls.length - after).toBeGreaterThanOrEqual(5)
})

test('does not poll while the page is hidden, and polls at once when it is visible again', async () => {
  turn(true)
  await pass(30 * MINUTE)
  expect(poll).not.toHaveBeenCalled()
  turn(false)
  await pass(0)
  expect(poll).toHaveBeenCalledOnce()
})

test('a page without activity for an hour stops until someone returns', async () => {
  await pass(HOUR + 2 * MINUTE)
  expect(onRest).toHaveBeenLastCalledWith(true)
  const before = poll.mock.calls.length
  await pass(HOUR)
  expect(poll).toHaveBeenCalledTimes(before)
  looking.now()
  await pass(0)
  expect(onRest).toHaveBeenLastCalledWith(false)
  expect(poll).toHaveBeenCalledTimes(before + 1)
})

test('polls one at a time, and never after the page is left', async () => {
  const answers = Promise.withResolvers<boolean>()
  poll.mockReturnValueOnce(answers.promise)
  looking.now()
  looking.now()
  await pass(5 * MINUTE)
  expect(poll).toHaveBeenCalledOnce()
  looking.stop()
  answers.resolve(true)
  await pass(HOUR)
  turn(false)
  await pass(0)
  expect(poll).toHaveBeenCalledOnce()
})

type Options = Parameters<typeof startPolling>[0]
type Listener = Parameters<NonNullable<Options['listen']>>[0]

/** Restarts with a server that can report changes. */
function listening() {
  looking.stop()
  const leave = vi.fn<() => void>()
  const listeners: Listener[] = []
  const listen = vi.fn<(listener: Listener) => () => void>((listener) => {
    listeners.push(listener)
    return leave
  })
  looking = startPolling({ poll, onRest, listen })
  return { listen, leave, ear: () => listeners.at(-1)! }
}

test('polls rarely while the server reports changes', async () => {
  const { ear } = listening()
  ear().onOpen()
  // Changes before the stream was open are not reported.
  await pass(0)
  expect(poll).toHaveBeenCalledExactlyOnceWith(true)
  await pass(119 * SECOND)
  expect(poll).toHaveBeenCalledOnce()
  ear().onChange()
  await pass(0)
  expect(poll).toHaveBeenCalledTimes(2)
  await pass(2 * MINUTE)
  expect(poll).toHaveBeenCalledTimes(3)
  expect(poll).toHaveBeenLastCalledWith(false)
})

test('polls at the initial rate and listens again after the stream ends', async () => {
  const { ear, listen } = listening()
  ear().onOpen()
  await pass(10 * MINUTE)
  const before = poll.mock.calls.length
  ear().onEnd()
  await pass(10 * SECOND)
  expect(poll).toHaveBeenCalledTimes(before + 1)
  expect(listen).toHaveBeenCalledTimes(2)
})

test('a server whose streams always end at once is polled as rarely as one without streams', async () => {
  const { ear, listen } = listening()
  for (let n = 0; n < 60; n += 1) {
    ear().onEnd()
    await pass(20 * SECOND)
  }
  expect(poll.mock.calls.length).toBeLessThan(20)
  expect(listen.mock.calls.length).toBeLessThanOrEqual(poll.mock.calls.length + 1)
})

test('polls again if a change is reported during a poll', async () => {
  const { ear } = listening()
  const answers = Promise.withResolvers<boolean>()
  poll.mockReturnValueOnce(answers.promise)
  looking.now()
  ear().onChange()
  expect(poll).toHaveBeenCalledOnce()
  answers.resolve(true)
  await pass(0)
  expect(poll).toHaveBeenCalledTimes(2)
})

test('closes the stream of a hidden, resting, or closed page', async () => {
  const { ear, listen, leave } = listening()
  ear().onOpen()
  turn(true)
  expect(leave).toHaveBeenCalledOnce()
  await pass(30 * MINUTE)
  expect(listen).toHaveBeenCalledOnce()
  turn(false)
  await pass(0)
  expect(listen).toHaveBeenCalledTimes(2)
  ear().onOpen()
  await pass(HOUR + 2 * MINUTE)
  expect(leave).toHaveBeenCalledTimes(2)
  expect(onRest).toHaveBeenLastCalledWith(true)
  looking.now()
  await pass(0)
  looking.stop()
  expect(leave).toHaveBeenCalledTimes(3)
})
