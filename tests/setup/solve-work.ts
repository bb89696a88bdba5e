import { hash } from 'node:crypto'
import { messageOf, solutionOf, workHeader, type Work } from '#contract/platform/proof-of-work.ts'

/** Returns the numbers that solve a challenge, as any client would find them. */
export const solveWork = ({ challenge, parts, below }: Work): number[] =>
  Array.from({ length: parts }, (_, part) => {
    for (let number = 0; ; number += 1)
      if (hash('sha256', messageOf(challenge, part, number), 'buffer').readUInt32BE(0) < below) return number
  })

/** Returns the header for the request that was rejected with this challenge. */
export const proofOf = (work: Work): Record<string, string> => ({
  [workHeader]: solutionOf(work.challenge, solveWork(work)),
})
