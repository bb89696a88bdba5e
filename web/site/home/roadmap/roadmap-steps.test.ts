import { describe, expect, test } from 'vitest'
import {
  clickPause,
  isAtEnd,
  isAtStart,
  leftAfterClick,
  makeClickFilter,
  roadmapStep,
} from './roadmap-steps.ts'

const contentWidth = 16 * 280
const at = (left: number, width = 1200) => ({ left, width, contentWidth })

describe('a click on the roadmap', () => {
  test('moves 280 pixels in either direction', () => {
    expect(roadmapStep).toBe(280)
    expect(leftAfterClick(at(0), 1)).toBe(280)
    expect(leftAfterClick(at(560), -1)).toBe(280)
  })

  test('never moves past an end', () => {
    expect(leftAfterClick(at(100), -1)).toBe(0)
    expect(leftAfterClick(at(contentWidth - 1200 - 40), 1)).toBe(contentWidth - 1200)
    expect(leftAfterClick(at(0, contentWidth + 500), 1)).toBe(0)
  })

  test('counts once per 250 ms', () => {
    expect(clickPause).toBe(250)
    const counts = makeClickFilter(clickPause)
    expect(counts(0)).toBe(true)
    expect(counts(100)).toBe(false)
    expect(counts(349)).toBe(false)
    expect(counts(599)).toBe(true)
  })

  test('only the first click of a rapid series counts, however long it is', () => {
    const counts = makeClickFilter(clickPause)
    const counted = Array.from({ length: 20 }, (_, click) => counts(click * 90)).filter(Boolean)
    expect(counted).toHaveLength(1)
  })
})

describe('the ends of the roadmap', () => {
  test.each([
    { left: 0, start: true, end: false },
    { left: 0.5, start: true, end: false },
    { left: 1, start: false, end: false },
    { left: 1400, start: false, end: false },
    { left: contentWidth - 1200 - 1, start: false, end: false },
    { left: contentWidth - 1200 - 0.4, start: false, end: true },
    { left: contentWidth - 1200, start: false, end: true },
  ])('at $left px', ({ left, start, end }) => {
    expect(isAtStart(at(left))).toBe(start)
    expect(isAtEnd(at(left))).toBe(end)
  })

  test('are both reached if everything fits', () => {
    expect(isAtStart(at(0, contentWidth))).toBe(true)
    expect(isAtEnd(at(0, contentWidth))).toBe(true)
  })
})
