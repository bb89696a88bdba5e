import type { Noun } from '../noun.ts'
import { deleteExpiredWork } from './spent-work.queries.ts'

/** Proof of work, which calls with `asksWorkAfter` take of clients that made many of them. */
export const proofOfWork = { cleanUp: { spentWork: ({ db }) => deleteExpiredWork(db) } } satisfies Noun
