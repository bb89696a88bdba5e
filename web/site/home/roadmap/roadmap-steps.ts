import { SECOND } from '#contract/platform/durations.ts'

/** Pixels that one click moves the carousel, and the width of one milestone in it. */
export const roadmapStep = 280
/** The number of milestones that fit side by side on the narrowest screen with a carousel, 960 pixels. */
export const fewAtOnce = 3
/** Clicks within this time of each other count as one, in milliseconds. */
export const clickPause = 0.25 * SECOND

/** The longest time a browser takes to scroll smoothly by one step, in milliseconds. */
export const scrollDuration = 0.75 * SECOND

/**
 * Returns a function that tells whether a click counts: only the first of a quick series does. Times are in
 * milliseconds.
 */
export function makeClickFilter(pause: number): (now: number) => boolean {
  let last = -Infinity
  return (now) => {
    const counts = now - last >= pause
    last = now
    return counts
  }
}

/** Scroll offset, window width, and content width of a carousel, in pixels. */
export type Position = { left: number; width: number; contentWidth: number }

const lastLeft = ({ width, contentWidth }: Position): number => Math.max(0, contentWidth - width)

/** Browsers report fractions of pixels, so a distance of less than one pixel from an end counts as the end. */
export const isAtStart = ({ left }: Position): boolean => left < 1
export const isAtEnd = (position: Position): boolean => position.left > lastLeft(position) - 1

/** Returns the scroll offset after one click: one step further, but never past an end. */
export const leftAfterClick = (position: Position, direction: -1 | 1): number =>
  Math.min(Math.max(0, position.left + direction * roadmapStep), lastLeft(position))
