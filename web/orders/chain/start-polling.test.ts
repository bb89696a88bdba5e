// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { startPolling, type Polling } from './start-polling.ts'

let looking: Polling
let isNews = false
const poll = vi.fn<() => Promise<boolean>>(async () => isNews)
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
  looking = startPolling(poll, onRest)
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
