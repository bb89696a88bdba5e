import * as z from 'zod/mini'
import { MINUTE } from './durations.ts'

/**
 * Calls with `asksWorkAfter` refuse a client that made more of them with `work_required` and a challenge; the same call with the
 * solution in this header is done: `<challenge>:<number>,<number>,…`, a number for each part.
 */
export const workHeader = 'x-proof-of-work'

/** In which the calls of a client are counted. */
export const workWindow = 15 * MINUTE

/** After it was sent, a challenge takes no solution any more. */
export const challengeLife = 10 * MINUTE

/**
 * For each part from 0 on: a whole number with which SHA-256 of `messageOf` begins with four bytes that are, as a number with the
 * highest byte first, below `below`.
 */
export const work = z.object({ challenge: z.string(), parts: z.int(), below: z.int() })
export type Work = z.infer<typeof work>

/** In ASCII. With `challenge` as it is sent it fits into one block of SHA-256. */
export const messageOf = (challenge: string, part: number, number: number): string =>
  `${challenge}:${part}:${number}`

export const solutionOf = (challenge: string, numbers: readonly number[]): string =>
  `${challenge}:${numbers.join(',')}`
