import type { Module } from '../module.ts'
import { deletePassedLimits } from './rate-limit.queries.ts'

/** Rate limits of clients and accounts, stored under hashed keys. */
export const rateLimits = { cleanUp: { passedLimits: ({ db }) => deletePassedLimits(db) } } satisfies Module
