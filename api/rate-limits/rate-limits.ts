import type { Noun } from '../noun.ts'
import { deletePassedLimits } from './rate-limit.queries.ts'

/** Counters of what a client or an account may do how often. They know hashes only. */
export const rateLimits = { cleanUp: { passedLimits: ({ db }) => deletePassedLimits(db) } } satisfies Noun
