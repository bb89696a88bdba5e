import { describe, expect, test } from 'vitest'
import { isNearEdge, isOpenAtStart } from './social-bar.tsx'

describe('the social bar', () => {
  test.each([
    [320, false],
    [650, false],
    [651, true],
    [1280, true],
  ])('on a screen %i px wide starts open: %s', (width, isOpen) => {
    expect(isOpenAtStart(width)).toBe(isOpen)
  })

  test.each([
    [1280, true],
    [1180, true],
    [1179, false],
    [0, false],
  ])('with the pointer at %i of 1280 px is open: %s', (pointerX, isOpen) => {
    expect(isNearEdge(pointerX, 1280)).toBe(isOpen)
  })
})
