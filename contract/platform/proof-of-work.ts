import * as z from 'zod/mini'
import { MINUTE } from './durations.ts'

/**
 * Endpoints with `proofOfWorkAfter` reject clients that exceed the limit with `work_required` and a challenge. The same
 * request succeeds with the solution in this header: `<challenge>:<number>,<number>,…`, one number per part.
 */
export const workHeader = 'x-proof-of-work'

/** The period in which a client's requests are counted. */
export const workWindow = 15 * MINUTE

/** How long after it was issued a challenge accepts a solution. */
export const challengeLife = 10 * MINUTE

/**
 * For each part, counted from 0, the solution is an integer such that the first four bytes of the SHA-256 of
 * `messageOf`, read as a big-endian number, are below `below`.
 */
export const work = z.object({ challenge: z.string(), parts: z.int(), below: z.int() })
export type Work = z.infer<typeof work>

/** The message is ASCII. With a `challenge` from the server, it fits into one SHA-256 block. */
export const messageOf = (challenge: string, part: number, number: number): string =>
  `${challenge}:${part}:${number}`

export const solutionOf = (challenge: string, numbers: readonly number[]): string =>
  `${challenge}:${numbers.join(',')}`
