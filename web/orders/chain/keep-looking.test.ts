// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { keepLooking, type Looking } from './keep-looking.ts'

let looking: Looking
let isNews = false
const look = vi.fn<() => Promise<boolean>>(async () => isNews)
const onRest = vi.fn<(isResting: boolean) => void>()
const pass = (time: number) => vi.advanceTimersByTimeAsync(time)
const turn = (isHidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  isNews = false
  look.mockClear()
  onRest.mockClear()
  looking = keepLooking(look, onRest)
})
afterEach(() => {
  looking.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('polls less often while nothing changes, and as often as at first after a change', async () => {
  await pass(9 * SECOND)
  expect(look).not.toHaveBeenCalled()
  await pass(SECOND)
  expect(look).toHaveBeenCalledOnce()
  await pass(14 * SECOND)
  expect(look).toHaveBeenCalledOnce()
  await pass(10 * MINUTE)
  const before = look.mock.calls.length
  await pass(10 * MINUTE)
  expect(look.mock.calls.length - before).toBe(5)
  isNews = true
  await pass(2 * MINUTE)
  const after = look.mock.calls.length
  await pass(MINUTE)
  expect(look.mock.calls.length - after).toBeGreaterThanOrEqual(5)
})

test('does not poll while the page is hidden, and polls at once when it is visible again', async () => {
  turn(true)
  await pass(30 * MINUTE)
  expect(look).not.toHaveBeenCalled()
  turn(false)
  await pass(0)
  expect(look).toHaveBeenCalledOnce()
})

test('a page without activity for an hour stops until someone returns', async () => {
  await pass(HOUR + 2 * MINUTE)
  expect(onRest).toHaveBeenLastCalledWith(true)
  const before = look.mock.calls.length
  await pass(HOUR)
  expect(look).toHaveBeenCalledTimes(before)
  looking.now()
  await pass(0)
  expect(onRest).toHaveBeenLastCalledWith(false)
  expect(look).toHaveBeenCalledTimes(before + 1)
})

test('polls one at a time, and never after the page is left', async () => {
  const answers = Promise.withResolvers<boolean>()
  look.mockReturnValueOnce(answers.promise)
  looking.now()
  looking.now()
  await pass(5 * MINUTE)
  expect(look).toHaveBeenCalledOnce()
  looking.stop()
  answers.resolve(true)
  await pass(HOUR)
  turn(false)
  await pass(0)
  expect(look).toHaveBeenCalledOnce()
})
