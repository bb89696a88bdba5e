import type { Noun } from '../module.ts'
import { deleteExpiredWork } from './used-challenge.queries.ts'

/** Proof of work, which calls with `asksWorkAfter` take of clients that made many of them. */
export const proofOfWork = { cleanUp: { spentWork: ({ db }) => deleteExpiredWork(db) } } satisfies Noun
