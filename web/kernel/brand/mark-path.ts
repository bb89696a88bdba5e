import { guilloche } from './guilloche.ts'

/**
 * The logo mark, radius 100, filled even-odd: one line with eight swings and three turns, like a coin's rim that opens
 * into a star.
 */
export const markPath = guilloche({ inner: 22, outer: 98, lobes: 8, turns: 3, lean: 18, precision: 6 })
