import { SECOND } from '#contract/durations.ts'

/** Pixels that one click moves the carousel, and the width of one milestone in it. */
export const roadmapStep = 280
/** Milestones that fit side by side on the narrowest screen with a carousel, 960 pixels. */
export const fewAtOnce = 3
/** Clicks that follow one another more quickly than this count as one. */
export const clickPause = 0.25 * SECOND

/** The longest time that browsers take to scroll smoothly by one step. */
export const scrollDuration = 0.75 * SECOND

/** Whether a click counts: only the first of a quick series does. Times in ms. */
export function makeClickFilter(pause: number): (now: number) => boolean {
  let last = -Infinity
  return (now) => {
    const counts = now - last >= pause
    last = now
    return counts
  }
}

/** How far a carousel is scrolled, how wide its window is, and how wide what it holds. In pixels. */
export type Position = { left: number; width: number; contentWidth: number }

const lastLeft = ({ width, contentWidth }: Position): number => Math.max(0, contentWidth - width)

/** Browsers report fractions of pixels at the end: closer than one pixel is there. */
export const isAtStart = ({ left }: Position): boolean => left < 1
export const isAtEnd = (position: Position): boolean => position.left > lastLeft(position) - 1

/** Where one click in a direction leads: one step on, never beyond an end. */
export const leftAfterClick = (position: Position, direction: -1 | 1): number =>
  Math.min(Math.max(0, position.left + direction * roadmapStep), lastLeft(position))
