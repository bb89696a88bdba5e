// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { refreshWhileVisible } from './refresh-while-visible.ts'

const refresh = vi.fn<() => void>()
let stop: () => void
const pass = (time: number) => vi.advanceTimersByTime(time)
const turn = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  refresh.mockClear()
  turn('visible')
  stop = refreshWhileVisible(refresh, MINUTE)
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('refreshes at intervals while the page is visible, and at once when it is visible again', () => {
  pass(3 * MINUTE)
  expect(refresh).toHaveBeenCalledTimes(3)
  turn('hidden')
  pass(10 * MINUTE)
  expect(refresh).toHaveBeenCalledTimes(3)
  turn('visible')
  expect(refresh).toHaveBeenCalledTimes(4)
})

test.each([
  ['is used', () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))],
  ['gets a key press', () => document.body.dispatchEvent(new Event('keydown', { bubbles: true }))],
  ['is visible again', () => turn('visible')],
])('rests after an hour without activity until the page %s', (_what, act) => {
  pass(HOUR)
  const before = refresh.mock.calls.length
  expect(before).toBeGreaterThan(57)
  pass(10 * HOUR)
  expect(refresh).toHaveBeenCalledTimes(before)
  act()
  pass(MINUTE)
  expect(refresh.mock.calls.length).toBeGreaterThan(before)
})

test('stops', () => {
  stop()
  turn('visible')
  pass(HOUR)
  expect(refresh).not.toHaveBeenCalled()
})
